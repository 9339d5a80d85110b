package mesh.simulator.namespace;

/** Who a container's commands run as. */
public record Login(String name, int user, int group, String home) {

  /** As the files of /etc have it. */
  String passwd() {
    return name + ":x:" + user + ":" + group + "::" + home + ":/bin/bash\n";
  }

  String groups() {
    return name + ":x:" + group + ":\n";
  }
}
