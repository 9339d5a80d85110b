package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InstancesTest {

  private final TestDatabase database = TestDatabase.fresh();
  private final InstanceRepository rows = new InstanceRepository(database.jdbc());
  private final Instances instances =
      new Instances(rows, () -> new UUID(7, 7), Duration.ofMillis(20));

  @AfterEach
  void dropDatabase() {
    instances.stop();
    database.close();
  }

  @Test
  void theLeaseIsProlongedWhileTheServerLives() {
    instances.start();
    OffsetDateTime first = leaseUntil();

    await(() -> leaseUntil().isAfter(first));

    assertThat(leasedSeconds()).isBetween(15.0, 20.0);
  }

  @Test
  void aGracefulStopEndsTheLeaseAtOnceAndForGood() {
    instances.start();

    instances.stop();

    assertThat(leasedSeconds()).isLessThanOrEqualTo(0);
    assertThat(instances.isRunning()).isFalse();
  }

  @Test
  void theHeartbeatSurvivesADatabaseThatIsAwayForAWhile() {
    instances.start();
    database.jdbc().sql("alter table instances rename to away").update();
    LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
    database.jdbc().sql("alter table away rename to instances").update();
    OffsetDateTime before = leaseUntil();

    await(() -> leaseUntil().isAfter(before));
  }

  @Test
  void serversLongGoneAreForgotten() {
    rows.renew(new UUID(1, 1), "old", Duration.ofSeconds(1));
    database.jdbc().sql("update instances set lease_until = now() - interval '8 days'").update();

    instances.start();

    assertThat(database.jdbc().sql("select host from instances").query(String.class).list())
        .doesNotContain("old");
  }

  @Test
  void theInstallationsIdIsDrawnOnce() {
    InstallationRepository installations = new InstallationRepository(database.jdbc());

    Installation first = installations.only(new Random(1));

    assertThat(first.id()).matches("[a-z0-9]{10}");
    assertThat(installations.only(new Random(2))).isEqualTo(first);
  }

  private OffsetDateTime leaseUntil() {
    return database
        .jdbc()
        .sql("select lease_until from instances where id = :id")
        .param("id", instances.instanceId())
        .query(OffsetDateTime.class)
        .single();
  }

  private double leasedSeconds() {
    return database
        .jdbc()
        .sql("select extract(epoch from lease_until - clock_timestamp())::float8 from instances")
        .query(Double.class)
        .single();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
