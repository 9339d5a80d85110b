package mesh.execution;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/**
 * What every backend promises, as one suite that every adapter passes.
 *
 * <p>An adapter's test extends this and supplies {@link #backend()}; nothing else in the suite
 * knows which backend it is about. Most tests share one sandbox, since making one is slow at some
 * vendors, and work in a directory of their own. All sandboxes belong to an installation made up
 * for the run, so that the suite can be pointed at an account that is in use, and are released at
 * its end.
 *
 * <p>{@code case N} in a test names the row of the collection of public bug reports it stems from.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class BackendContract {

  private final Laboratory laboratory = new Laboratory(this::backend);

  /**
   * Opens the backend under test: a new instance at each call, all on the same account. The suite
   * closes them. First called by the first test, so after the subclass's {@code @BeforeAll}
   * methods.
   */
  protected abstract Backend backend();

  /** Ends what {@link #backend()} needed, after the suite's last call to the vendor. */
  protected void finish() throws Exception {}

  @AfterAll
  final void releaseEverything() throws Exception {
    try {
      laboratory.close();
    } finally {
      finish();
    }
  }

  @Nested
  class Arguments extends ArgumentPromises {
    Arguments() {
      super(laboratory);
    }
  }

  @Nested
  class Exits extends ExitPromises {
    Exits() {
      super(laboratory);
    }
  }

  @Nested
  class StandardInput extends InputPromises {
    StandardInput() {
      super(laboratory);
    }
  }

  @Nested
  class Output extends OutputPromises {
    Output() {
      super(laboratory);
    }
  }

  @Nested
  class MuchOutput extends VolumePromises {
    MuchOutput() {
      super(laboratory);
    }
  }

  @Nested
  class Surroundings extends SurroundingsPromises {
    Surroundings() {
      super(laboratory);
    }
  }

  @Nested
  class BackgroundProcesses extends BackgroundPromises {
    BackgroundProcesses() {
      super(laboratory);
    }
  }

  @Nested
  class Endings extends EndingPromises {
    Endings() {
      super(laboratory);
    }
  }

  @Nested
  class Reading extends ReadPromises {
    Reading() {
      super(laboratory);
    }
  }

  @Nested
  class Writing extends WritePromises {
    Writing() {
      super(laboratory);
    }
  }

  @Nested
  class AtomicWriting extends AtomicityPromises {
    AtomicWriting() {
      super(laboratory);
    }
  }

  @Nested
  class Links extends LinkPromises {
    Links() {
      super(laboratory);
    }
  }

  @Nested
  class Names extends NamePromises {
    Names() {
      super(laboratory);
    }
  }

  @Nested
  class LifeCycle extends LifeCyclePromises {
    LifeCycle() {
      super(laboratory);
    }
  }

  @Nested
  class Hibernation extends HibernationPromises {
    Hibernation() {
      super(laboratory);
    }
  }

  @Nested
  class Sizes extends SizePromises {
    Sizes() {
      super(laboratory);
    }
  }

  @Nested
  class Snapshots extends SnapshotPromises {
    Snapshots() {
      super(laboratory);
    }
  }

  @Nested
  class Egress extends EgressPromises {
    Egress() {
      super(laboratory);
    }
  }

  @Nested
  class Inventory extends InventoryPromises {
    Inventory() {
      super(laboratory);
    }
  }
}
