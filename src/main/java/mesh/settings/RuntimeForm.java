package mesh.settings;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.ConfigField;
import mesh.secret.SealBroken;
import mesh.secret.Sealer;
import mesh.secret.Secret;
import mesh.settings.RuntimeRow.StoredSecret;
import mesh.web.Problem;
import org.springframework.stereotype.Component;

/** Applies a change to a row, by the rules of the descriptor. */
@Component
class RuntimeForm {

  private final Sealer sealer;
  private final Clock clock;

  RuntimeForm(Sealer sealer, Clock clock) {
    this.sealer = sealer;
    this.clock = clock;
  }

  /**
   * @throws Problem 400 that names the field
   */
  RuntimeRow apply(BackendDescriptor descriptor, RuntimeRow before, RuntimeChange change) {
    Map<String, String> config = new LinkedHashMap<>(before.config());
    Map<String, StoredSecret> secrets = new LinkedHashMap<>(before.secrets());
    Map<String, Secret> entered = new LinkedHashMap<>();
    Map<String, Problem> invalid = new LinkedHashMap<>();
    change
        .fields()
        .forEach((key, given) -> {
          ConfigField field = descriptor.field(key).orElseThrow(() -> unknown(descriptor, key));
          if (given.isNull()) {
            config.remove(key);
            secrets.remove(key);
            return;
          }
          try {
            String value = FieldCheck.value(field, given);
            if (field instanceof ConfigField.Secret) {
              entered.put(key, Secret.of(value));
            } else {
              config.put(key, value);
            }
          } catch (Problem problem) {
            invalid.put(key, problem);
          }
        });
    demandValid(invalid);
    entered.forEach((key, secret) -> secrets.put(key, seal(descriptor, key, secret, config)));
    boolean enabled = change.enabled() == null ? before.enabled() : change.enabled();
    // Whoever only disables is never held up by a secret that no longer opens.
    if (enabled || movesSecrets(descriptor, before.config(), config)) {
      demandUsableSecrets(descriptor, config, secrets);
    }
    if (enabled) {
      demandComplete(descriptor, config, secrets);
    }
    return new RuntimeRow(before.name(), enabled, config, secrets, before.revision());
  }

  /**
   * @throws SealBroken if a secret was stored for another address or with a lost key
   */
  Map<String, String> opened(BackendDescriptor descriptor, RuntimeRow row) {
    Map<String, String> values = RuntimeValues.effective(descriptor, row.config());
    row.secrets()
        .forEach((key, stored) -> {
          if (descriptor.field(key).isPresent()) {
            values.put(
                key,
                sealer
                    .open(stored.text(), RuntimeValues.place(descriptor, key, row.config()))
                    .reveal());
          }
        });
    return values;
  }

  private StoredSecret seal(
      BackendDescriptor descriptor, String key, Secret secret, Map<String, String> config) {
    return new StoredSecret(
        sealer.seal(secret, RuntimeValues.place(descriptor, key, config)).encoded(),
        clock.instant());
  }

  /** The first is what it is about; each is named. */
  private static void demandValid(Map<String, Problem> invalid) {
    if (!invalid.isEmpty()) {
      Map<String, String> sentences = new LinkedHashMap<>();
      invalid.forEach((key, problem) -> sentences.put(key, problem.sentence()));
      throw invalid.values().iterator().next().with("invalid", sentences);
    }
  }

  private static boolean movesSecrets(
      BackendDescriptor descriptor, Map<String, String> before, Map<String, String> after) {
    return !RuntimeValues.place(descriptor, "", before)
        .equals(RuntimeValues.place(descriptor, "", after));
  }

  /** A secret that is kept must open where it would be sent; one for another address does not. */
  private void demandUsableSecrets(
      BackendDescriptor descriptor, Map<String, String> config, Map<String, StoredSecret> secrets) {
    List<String> broken = new ArrayList<>();
    secrets.forEach((key, stored) -> {
      try {
        sealer.open(stored.text(), RuntimeValues.place(descriptor, key, config));
      } catch (SealBroken e) {
        broken.add(key);
      }
    });
    if (!broken.isEmpty()) {
      throw Problem.badRequest(
              "runtime_secret_required",
              "A stored secret is only ever sent to the address it was entered for: with another"
                  + " address, enter again "
                  + String.join(", ", broken)
                  + ".")
          .with("fields", broken);
    }
  }

  private static void demandComplete(
      BackendDescriptor descriptor, Map<String, String> config, Map<String, StoredSecret> secrets) {
    List<String> missing = RuntimeValues.missing(descriptor, config, secrets.keySet());
    if (!missing.isEmpty()) {
      throw Problem.badRequest(
              "runtime_config_incomplete",
              "%s needs %s before it can be enabled."
                  .formatted(descriptor.title(), String.join(", ", missing)))
          .with("field", missing.getFirst())
          .with("fields", missing);
    }
  }

  private static Problem unknown(BackendDescriptor descriptor, String key) {
    return Problem.badRequest(
            "runtime_config_unknown_field",
            "%s has no field of that name; it has %s."
                .formatted(
                    descriptor.title(),
                    String.join(", ", descriptor.fields().stream().map(ConfigField::key).toList())))
        .with("field", key);
  }
}
