package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A backend knows what Mesh made there, so that nothing is forgotten. */
abstract class InventoryPromises {

  private final Laboratory laboratory;

  InventoryPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @Test
  void whatWasAcquiredIsListedUntilItIsReleased() throws InterruptedException {
    var spec = laboratory.newSpec();
    var ref = laboratory.backend().acquire(spec).ref();

    assertThat(laboratory.another().list(laboratory.installation()).entries())
        .filteredOn(entry -> entry.key().equals(spec.key()))
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.ref()).isEqualTo(ref);
          assertThat(Duration.between(entry.createdAt(), Instant.now()).abs())
              .isLessThan(Duration.ofHours(1));
        });

    laboratory.destroy(ref);
    assertThat(laboratory.backend().list(laboratory.installation()).entries())
        .extracting(InventoryEntry::key)
        .doesNotContain(spec.key());
  }

  @Test
  void anotherInstallationCountsItAndLearnsNothingElse() throws InterruptedException {
    laboratory.sandbox();

    var seen = laboratory.backend().list(Laboratory.madeUpInstallation());

    assertThat(seen.entries()).isEmpty();
    assertThat(seen.others()).isPositive();
  }
}
