package mesh.credential;

import java.util.List;
import mesh.secret.SealedText;
import mesh.secret.SealedValues;
import org.springframework.stereotype.Component;

@Component
class StoredCredentials implements SealedValues {

  private final CredentialRepository rows;

  StoredCredentials(CredentialRepository rows) {
    this.rows = rows;
  }

  @Override
  public List<SealedText> stored() {
    return Seals.wellFormed(rows.sealed());
  }
}
