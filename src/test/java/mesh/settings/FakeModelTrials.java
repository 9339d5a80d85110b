package mesh.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.inference.Connection;
import mesh.inference.ModelTrial;
import mesh.inference.ModelTrials;
import mesh.inference.Reply.Usage;

/** Answers as it was told to, and keeps what it was asked with. */
public final class FakeModelTrials implements ModelTrials {

  private final List<Connection> asked = new ArrayList<>();
  private ModelTrial next = new ModelTrial(true, Duration.ofMillis(12), "It replied.", Usage.NONE);

  void answer(ModelTrial trial) {
    next = trial;
  }

  List<Connection> asked() {
    return List.copyOf(asked);
  }

  @Override
  public ModelTrial trial(Connection connection, String model) {
    asked.add(connection);
    return next;
  }
}
