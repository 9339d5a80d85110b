package mesh.secret;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import mesh.database.DataFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys, in {@code keyset.json} of the data folder. The file is in clear, readable for Mesh's
 * user alone: what it guards against is a copy of the database, and a key beside the database needs
 * another guard in any case. Made at the first start; back it up apart from the database. Servers
 * that share a database share this file.
 */
final class Keyring {

  private static final Logger log = LoggerFactory.getLogger(Keyring.class);
  static final String FILE = "keyset.json";

  private final KeysetHandle keys;

  private Keyring(KeysetHandle keys) {
    this.keys = keys;
  }

  /**
   * @param stored what the database holds
   * @throws IllegalStateException if the keys for it are not there; a new keyset would not open it,
   *     and sealing more with one would hide the loss
   */
  static Keyring open(DataFolder folder, List<SealedText> stored) {
    try {
      AeadConfig.register();
      Optional<String> file = folder.find(FILE);
      if (file.isEmpty() && !stored.isEmpty()) {
        throw new IllegalStateException(
            "the database holds %d encrypted values, but %s/%s, which has their keys, is missing: put it back"
                .formatted(stored.size(), folder, FILE));
      }
      Keyring keyring = file.isPresent() ? parse(file.get()) : make(folder);
      keyring.refuseStrangers(folder, stored);
      return keyring;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "%s/%s is not a keyset: put the right one back".formatted(folder, FILE), e);
    }
  }

  Aead aead() {
    try {
      return keys.getPrimitive(RegistryConfiguration.get(), Aead.class);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the keyset is for something else than encryption", e);
    }
  }

  private static Keyring parse(String json) throws GeneralSecurityException {
    return new Keyring(
        TinkJsonProtoKeysetFormat.parseKeyset(
            json, RegistryConfiguration.get(), InsecureSecretKeyAccess.get()));
  }

  private static Keyring make(DataFolder folder) throws GeneralSecurityException {
    KeysetHandle made =
        KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM, RegistryConfiguration.get());
    folder.write(
        FILE,
        TinkJsonProtoKeysetFormat.serializeKeyset(
            made, RegistryConfiguration.get(), InsecureSecretKeyAccess.get()));
    log.atInfo().addKeyValue("folder", folder).log("keyset made");
    return new Keyring(made);
  }

  private void refuseStrangers(DataFolder folder, List<SealedText> stored) {
    Set<Integer> known = new HashSet<>();
    for (int i = 0; i < keys.size(); i++) {
      known.add(keys.getAt(i).getId());
    }
    long strangers = stored.stream().filter(text -> !known.contains(text.keyId())).count();
    if (strangers > 0) {
      throw new IllegalStateException(
          "the database holds %d values encrypted with keys that are not in %s/%s: put the right keyset back"
              .formatted(strangers, folder, FILE));
    }
  }
}
