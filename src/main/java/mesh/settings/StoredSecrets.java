package mesh.settings;

import java.util.List;
import mesh.secret.SealedText;
import mesh.secret.SealedValues;
import org.springframework.stereotype.Component;

@Component
class StoredSecrets implements SealedValues {

  private final RuntimeRepository rows;

  StoredSecrets(RuntimeRepository rows) {
    this.rows = rows;
  }

  @Override
  public List<SealedText> stored() {
    return rows.all().stream()
        .flatMap(row -> row.secrets().values().stream())
        .map(RuntimeRow.StoredSecret::text)
        .toList();
  }
}
