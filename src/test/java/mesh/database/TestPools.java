package mesh.database;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The pools that Mesh has beside Spring's, on a test's database. */
public final class TestPools {

  private TestPools() {}

  public static SidePool authority(TestDatabase database) {
    return new SidePools().authorityPool(details(database));
  }

  public static SidePool delivery(TestDatabase database) {
    return new SidePools().deliveryPool(details(database));
  }

  /** The address names the user. */
  private static JdbcConnectionDetails details(TestDatabase database) {
    return new JdbcConnectionDetails() {
      @Override
      public @Nullable String getUsername() {
        return null;
      }

      @Override
      public @Nullable String getPassword() {
        return null;
      }

      @Override
      public String getJdbcUrl() {
        return database.url();
      }
    };
  }
}
