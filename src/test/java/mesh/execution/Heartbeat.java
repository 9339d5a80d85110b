package mesh.execution;

/** A process in the shared sandbox that can be seen to live, whatever it is a child of. */
final class Heartbeat {

  private final Laboratory laboratory;
  private final SandboxPath folder;

  Heartbeat(Laboratory laboratory) throws InterruptedException {
    this.laboratory = laboratory;
    this.folder = laboratory.folder();
  }

  SandboxPath folder() {
    return folder;
  }

  /**
   * A command line, free of single quotes inside, for a shell in {@link #folder()}. It ends by
   * itself after a minute.
   */
  String starts() {
    return "sh -c 'i=0; while [ $i -lt 600 ] && [ ! -e stop ]; do i=$((i+1)); echo x >> beat;"
        + " sleep 0.1; done'";
  }

  /** The condition a script can wait for before it goes on. */
  String started() {
    return "until [ -s beat ]; do sleep 0.05; done";
  }

  boolean beats() throws InterruptedException {
    return laboratory
            .shell(
                folder, "touch beat; a=$(wc -c < beat); sleep 1; b=$(wc -c < beat); [ $b -gt $a ]")
            .code()
        == 0;
  }

  void stop() throws InterruptedException {
    laboratory.write(folder.resolve("stop"), new byte[0]);
    laboratory.run("sleep", "0.3");
  }
}
