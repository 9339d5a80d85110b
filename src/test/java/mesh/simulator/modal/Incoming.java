package mesh.simulator.modal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A file that is being written, and what is to be done when it is complete. */
final class Incoming extends FilterOutputStream {

  private Runnable closing = () -> {};

  Incoming(OutputStream file) {
    super(file);
  }

  void whenClosed(Runnable action) {
    closing = action;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    super.close();
    closing.run();
  }
}
