package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One file as {@code Stat} and {@code ListFiles} describe it; of a link, the link itself. */
final class FileDetails {

  private FileDetails() {}

  /**
   * @param path what the client calls it
   */
  static Map<String, Object> of(Path file, String path) throws IOException {
    var attributes =
        Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    var mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    var json = new LinkedHashMap<String, Object>();
    json.put(
        "name", Optional.ofNullable(Path.of(path).getFileName()).map(Path::toString).orElse("/"));
    json.put("path", path);
    json.put("type", type(attributes));
    json.put("size", attributes.size());
    json.put("mode", mode & 07777);
    json.put("permissions", PosixFilePermissions.toString(attributes.permissions()));
    // Whoever owns a file here is the sandbox's root in there.
    json.put("owner", "root");
    json.put("group", "root");
    json.put("modified_time", attributes.lastModifiedTime().to(TimeUnit.SECONDS));
    if (attributes.isSymbolicLink()) {
      json.put("symlink_target", Files.readSymbolicLink(file).toString());
    }
    return json;
  }

  private static String type(PosixFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return "symlink";
    }
    return attributes.isDirectory() ? "directory" : "file";
  }
}
