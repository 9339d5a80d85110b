package mesh.settings;

import java.util.List;
import java.util.Objects;
import mesh.secret.SealedText;
import mesh.secret.SealedValues;
import org.springframework.stereotype.Component;

@Component
class StoredModelKeys implements SealedValues {

  private final ModelRepository rows;

  StoredModelKeys(ModelRepository rows) {
    this.rows = rows;
  }

  @Override
  public List<SealedText> stored() {
    return rows.all().stream().map(ModelRow::key).filter(Objects::nonNull).toList();
  }
}
