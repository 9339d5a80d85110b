package mesh.tool;

import mesh.run.RunOutput;

/** Keeps what a call prints for those who watch its run, and passes it on to its caller. */
record RecordedOutput(RunOutput.Recording recording, LiveOutput caller) implements LiveOutput {

  @Override
  public void accept(String channel, String text) {
    recording.accept(text);
    caller.accept(channel, text);
  }

  @Override
  public boolean isFollowed() {
    return caller.isFollowed();
  }
}
