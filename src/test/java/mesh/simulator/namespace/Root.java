package mesh.simulator.namespace;

import static java.util.Comparator.comparingInt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A container's root directory: the machine's directories, read-only, and those of the container.
 *
 * <p>A volume may be wanted where the machine has no directory, and none can be made there. So the
 * directory above is made anew, with everything in it mounted one by one.
 */
final class Root {

  /** The container has its own. */
  private static final Set<Path> OWN =
      Set.of(Path.of("/proc"), Path.of("/tmp"), Path.of("/home"), Path.of("/root"));

  /** Devices are of no use on a read-only mount, and the kernel guards /sys itself. */
  private static final Set<Path> WRITABLE = Set.of(Path.of("/dev"), Path.of("/sys"));

  private static final Path MACHINE = Path.of("/");

  /** Where the new root is put together. */
  private static final String NEW = "/mnt";

  private final Path root;
  private final List<Volume> volumes;
  private final List<String> mounts = new ArrayList<>();

  private Root(Path root, List<Volume> volumes) {
    this.root = root;
    this.volumes = volumes;
  }

  /**
   * Makes the directory {@code root} in {@code folder} and beside it {@code fstab}, which says what
   * to mount in it.
   */
  static void make(Path folder, Path hidden, List<Volume> volumes) throws IOException {
    var root = new Root(Files.createDirectories(folder.resolve("root")), volumes);
    root.expose(MACHINE);
    for (var own : OWN) {
      Files.createDirectories(root.placeOf(own));
    }
    root.bind(folder.resolve("passwd"), Path.of("/etc/passwd"), true);
    root.bind(folder.resolve("group"), Path.of("/etc/group"), true);
    root.memory(Path.of("/var/tmp"));
    root.memory(Path.of("/dev/shm"));
    root.memory(hidden);
    // One volume may be inside another, which has to be there first.
    for (var volume : volumes.stream().sorted(comparingInt(Root::depth)).toList()) {
      root.bind(volume.source(), targetOf(volume), volume.readOnly());
    }
    Files.write(folder.resolve("fstab"), root.mounts);
  }

  private static Path targetOf(Volume volume) {
    return Path.of(volume.target()).normalize();
  }

  private static int depth(Volume volume) {
    return targetOf(volume).getNameCount();
  }

  private Path placeOf(Path target) {
    return root.resolve(MACHINE.relativize(target).toString());
  }

  private void expose(Path directory) throws IOException {
    List<Path> entries;
    try (var listed = Files.list(directory)) {
      entries = listed.sorted().toList();
    }
    for (var entry : entries) {
      if (OWN.contains(entry)) {
        continue;
      }
      var place = placeOf(entry);
      if (Files.isSymbolicLink(entry)) {
        Files.createSymbolicLink(place, Files.readSymbolicLink(entry));
      } else if (Files.isDirectory(entry)) {
        Files.createDirectory(place);
        if (isToHoldMore(entry)) {
          expose(entry);
        } else {
          bind(entry, entry, !WRITABLE.contains(entry));
        }
      } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
        Files.createFile(place);
        bind(entry, entry, true);
      }
    }
  }

  private boolean isToHoldMore(Path directory) {
    return volumes.stream()
        .map(Root::targetOf)
        .anyMatch(target ->
            target.startsWith(directory)
                && !target.equals(directory)
                && !Files.isDirectory(target));
  }

  private void bind(Path source, Path target, boolean readOnly) throws IOException {
    var options = "rbind,X-mount.mkdir" + (readOnly ? ",ro" + lockedOptions(source) : "");
    mounts.add(escaped(source) + " " + NEW + escaped(target) + " none " + options + " 0 0");
  }

  /** An empty directory where the machine has one that may be seen. */
  private void memory(Path target) {
    if (Files.isDirectory(target) && OWN.stream().noneMatch(target::startsWith)) {
      mounts.add("tmpfs " + NEW + escaped(target) + " tmpfs mode=0755 0 0");
    }
  }

  /** What the kernel lets nobody take off a mount, so it has to be said again with the rest. */
  private static String lockedOptions(Path path) throws IOException {
    var found = "";
    var longest = -1;
    for (var line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      var fields = line.split(" ", -1);
      var point = Path.of(fields[4].replace("\\040", " "));
      if (path.startsWith(point) && point.getNameCount() >= longest) {
        longest = point.getNameCount();
        found = fields[5];
      }
    }
    var locked = Set.of("nosuid", "nodev", "noexec");
    return Stream.concat(Stream.of(""), Arrays.stream(found.split(",")).filter(locked::contains))
        .collect(Collectors.joining(","));
  }

  private static String escaped(Path path) {
    return path.toString().replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011");
  }
}
