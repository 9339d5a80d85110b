package mesh.workspace;

import java.nio.ByteBuffer;

/** With no secret to look for, every byte is passed on as it is. */
final class NoRedactions implements Redactions {

  @Override
  public Stream open(Bytes out) {
    return new Stream() {
      @Override
      public void write(ByteBuffer bytes) {
        out.accept(bytes);
      }

      @Override
      public void end() {}

      @Override
      public long count() {
        return 0;
      }
    };
  }

  @Override
  public String apply(String text) {
    return text;
  }

  @Override
  public int margin() {
    return 0;
  }
}
