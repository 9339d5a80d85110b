package mesh.simulator.modal;

import java.io.IOException;
import java.io.OutputStream;

/** The standard input of a program that has ended. */
final class Unread extends OutputStream {

  @Override
  public void write(int one) throws IOException {
    throw new IOException("nobody reads it");
  }
}
