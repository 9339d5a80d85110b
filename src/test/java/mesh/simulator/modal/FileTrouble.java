package mesh.simulator.modal;

import java.io.IOException;

/** What is wrong with a file, in the vendor's word for it. */
final class FileTrouble extends IOException {

  private final String kind;

  FileTrouble(String kind, String message) {
    super(message);
    this.kind = kind;
  }

  String kind() {
    return kind;
  }
}
