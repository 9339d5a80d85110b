package mesh.secret;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where a sealed text belongs. It opens nowhere else, so nobody with write access to the database
 * gains by moving it.
 *
 * @param row the row's key, and the field if one column holds several
 * @param owner for whom or what it may be used: an agent's id, the address a token may be sent to
 */
public record Place(String table, String column, String row, String owner) {

  /** Each part with its length before it, so that no two places look alike. */
  byte[] associatedData() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String part : List.of(table, column, row, owner)) {
      byte[] text = part.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).array());
      bytes.writeBytes(text);
    }
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return "%s.%s of %s".formatted(table, column, row);
  }
}
