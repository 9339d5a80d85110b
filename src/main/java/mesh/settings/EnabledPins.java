package mesh.settings;

import mesh.agent.RuntimePins;
import org.springframework.stereotype.Component;

@Component
class EnabledPins implements RuntimePins {

  private final RuntimeRepository rows;

  EnabledPins(RuntimeRepository rows) {
    this.rows = rows;
  }

  @Override
  public boolean isEnabled(String backend) {
    return rows.holdEnabled(backend);
  }
}
