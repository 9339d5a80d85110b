package mesh.webhook;

import java.util.List;
import mesh.secret.SealedText;
import mesh.secret.SealedValues;
import org.springframework.stereotype.Component;

@Component
class StoredSigningSecrets implements SealedValues {

  private final WebhookRepository rows;

  StoredSigningSecrets(WebhookRepository rows) {
    this.rows = rows;
  }

  @Override
  public List<SealedText> stored() {
    return rows.sealed();
  }
}
