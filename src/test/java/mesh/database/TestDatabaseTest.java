package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestDatabaseTest {

  @Test
  void eachDatabaseIsMigratedAndSharesNothing() {
    try (TestDatabase one = TestDatabase.fresh();
        TestDatabase other = TestDatabase.fresh()) {
      one.jdbc().sql("insert into installation (id) values ('abcdefghij')").update();

      assertThat(rows(one)).isEqualTo(1);
      assertThat(rows(other)).isZero();
    }
  }

  private static long rows(TestDatabase database) {
    return database.jdbc().sql("select count(*) from installation").query(Long.class).single();
  }
}
