package mesh.credential;

import java.util.List;
import java.util.Optional;
import mesh.agent.AgentId;
import mesh.secret.Place;
import mesh.secret.SealBroken;
import mesh.secret.SealedText;
import mesh.secret.Sealer;
import mesh.secret.Secret;
import org.springframework.stereotype.Component;

/** Seals this module's values, each for its own row and agent, and opens them there only. */
@Component
class Seals {

  private final Sealer sealer;

  Seals(Sealer sealer) {
    this.sealer = sealer;
  }

  SealedText token(AgentId agent, Provider provider, Secret token) {
    return sealer.seal(token, place(agent, provider));
  }

  /** Empty if it does not open here: sealed with another key, moved, or altered. */
  Optional<Secret> openToken(AgentId agent, Provider provider, String sealed) {
    return open(sealed, place(agent, provider));
  }

  SealedText value(AgentId agent, String name, Secret value) {
    return sealer.seal(value, place(agent, name));
  }

  /** As {@link #openToken}. */
  Optional<Secret> openValue(AgentId agent, String name, String sealed) {
    return open(sealed, place(agent, name));
  }

  /** What is a sealed text at all. */
  static List<SealedText> wellFormed(List<String> texts) {
    return texts.stream().flatMap(text -> parse(text).stream()).toList();
  }

  private Optional<Secret> open(String sealed, Place place) {
    return parse(sealed)
        .flatMap(text -> {
          try {
            return Optional.of(sealer.open(text, place));
          } catch (SealBroken broken) {
            return Optional.empty();
          }
        });
  }

  private static Optional<SealedText> parse(String text) {
    try {
      return Optional.of(new SealedText(text));
    } catch (IllegalArgumentException damaged) {
      return Optional.empty();
    }
  }

  private static Place place(AgentId agent, Provider provider) {
    var owner = agent.value().toString();
    return new Place("agent_secrets", "token", owner + "/" + provider.word(), owner);
  }

  private static Place place(AgentId agent, String name) {
    var owner = agent.value().toString();
    return new Place("agent_vault_entries", "value", owner + "/" + name, owner);
  }
}
