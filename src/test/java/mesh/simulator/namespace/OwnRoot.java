package mesh.simulator.namespace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A root directory that is a folder of ours, with the machine's programs mounted into it.
 *
 * <p>All its mounts are one file for one mount(8): a process for each is what takes time.
 */
final class OwnRoot {

  /** Runs as the namespace's root; the last process must reap what others leave behind. */
  static final String SET_UP =
      """
      set -e
      read -r pid rest < /proc/self/stat
      mount --all --fstab "$1"/fstab
      cd "$1"/root
      "$2" . .
      umount -l .
      cd /
      echo "$pid"
      exec "$3" --ignore-signal=CHLD cat > /dev/null 2>&1
      """;

  private static final List<String> READ_ONLY =
      List.of("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "opt", "nix", "gnu");
  private static final List<String> EMPTY =
      List.of(
          "dev/shm", "home", "media", "mnt", "proc", "root", "run", "srv", "sys", "tmp", "var/tmp");
  private static final List<String> DEVICES =
      List.of("null", "zero", "full", "random", "urandom", "tty");

  private final Path folder;
  private final Path root;

  OwnRoot(Path folder) {
    this.folder = folder;
    this.root = folder.resolve("root");
  }

  /** Makes what is missing of the directories that mounts go to, and the list of the mounts. */
  void prepare() throws IOException {
    for (var directory : EMPTY) {
      Files.createDirectories(root.resolve(directory));
    }
    link("dev/fd", "/proc/self/fd");
    link("dev/stdin", "/proc/self/fd/0");
    link("dev/stdout", "/proc/self/fd/1");
    link("dev/stderr", "/proc/self/fd/2");
    var mounts = new StringBuilder();
    // Only a mount can become the root.
    mounts.append(mount(root.toString(), "", "none", "rbind"));
    for (var name : READ_ONLY) {
      var original = Path.of("/", name);
      if (Files.isSymbolicLink(original)) {
        link(name, Files.readSymbolicLink(original).toString());
      } else if (Files.isDirectory(original)) {
        Files.createDirectories(root.resolve(name));
        mounts.append(mount("/" + name, name, "none", "rbind,ro"));
      }
    }
    for (var name : DEVICES) {
      var place = root.resolve("dev", name);
      if (!Files.exists(place)) {
        Files.createFile(place);
      }
      mounts.append(mount("/dev/" + name, "dev/" + name, "none", "bind"));
    }
    mounts.append(mount("/sys", "sys", "none", "rbind"));
    mounts.append(mount("tmpfs", "dev/shm", "tmpfs", "defaults"));
    mounts.append(mount("proc", "proc", "proc", "defaults"));
    Files.writeString(folder.resolve("fstab"), mounts);
  }

  private String mount(String source, String place, String type, String options) {
    return Stream.of(source, root.resolve(place).toString(), type, options, "0", "0")
        .map(it -> it.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011"))
        .collect(Collectors.joining(" ", "", "\n"));
  }

  private void link(String name, String target) throws IOException {
    var link = root.resolve(name);
    if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.createSymbolicLink(link, Path.of(target));
    }
  }
}
