package mesh.database;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.springframework.jdbc.core.simple.JdbcClient;

/** All rows of a database as text: every column, bytes as they are and unpacked if they are. */
public final class Dump {

  private static final int BLOCK = 64 * 1024;

  private Dump() {}

  public static String of(JdbcClient jdbc) {
    var text = new StringBuilder();
    for (var table : tables(jdbc)) {
      text.append(
          String.join(
              "\n",
              jdbc.sql("select cast(t as text) from public." + table + " t")
                  .query(String.class)
                  .list()));
      for (var column : bytes(jdbc, table)) {
        jdbc.sql("select " + column + " from public." + table + " where " + column + " is not null")
            .query((row, _) -> row.getBytes(1))
            .list()
            .forEach(value ->
                text.append('\n').append(latin(value)).append('\n').append(latin(unpacked(value))));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static List<String> tables(JdbcClient jdbc) {
    return jdbc.sql("select tablename from pg_tables where schemaname = 'public' order by 1")
        .query((row, _) -> row.getString(1))
        .list();
  }

  private static List<String> bytes(JdbcClient jdbc, String table) {
    return jdbc.sql(
            """
            select column_name
              from information_schema.columns
             where table_schema = 'public' and table_name = :table and data_type = 'bytea'
            """)
        .param("table", table)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /** Nothing if it is not packed. */
  private static byte[] unpacked(byte[] bytes) {
    var inflater = new Inflater();
    try {
      inflater.setInput(bytes);
      var out = new ByteArrayOutputStream();
      var block = new byte[BLOCK];
      while (!inflater.finished()) {
        int length = inflater.inflate(block);
        if (length == 0) {
          break;
        }
        out.write(block, 0, length);
      }
      return out.toByteArray();
    } catch (DataFormatException plain) {
      return new byte[0];
    } finally {
      inflater.end();
    }
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
