package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SchemaSnapshotTest {

  private static final Path FILE = Path.of("db/schema.sql");

  @Test
  void theSnapshotShowsTheMigratedSchema() throws IOException {
    try (TestDatabase database = TestDatabase.fresh()) {
      String schema = new SchemaSnapshot(database.jdbc()).write();
      if (Boolean.getBoolean("mesh.write-schema")) {
        Files.writeString(FILE, schema);
      }
      assertThat(FILE)
          .as(
              "db/schema.sql is stale: ./mvnw test -Dtest=SchemaSnapshotTest -Dtest.jvm=-Dmesh.write-schema=true"
                  + " writes it anew")
          .content()
          .isEqualTo(schema);
    }
  }
}
