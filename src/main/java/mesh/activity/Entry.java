package mesh.activity;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing somebody did, to be recorded by {@link Activity#record}.
 *
 * <pre>{@code
 * activity.record(Entry.of(actor, "runtime.enabled").connection(backend).before(old).after(changed));
 * }</pre>
 *
 * Before and after are whatever Jackson writes as JSON; never a secret, of which only {@code
 * {"set":true}} is told. The parts that do not apply are absent, which is what null means here.
 *
 * @param action {@code noun.verb} in the past, such as {@code token.revoked}
 * @param connection what is outside of Mesh: a runtime, a provider, an address
 */
public record Entry(
    ActorId actor,
    String action,
    @Nullable UUID agent,
    @Nullable UUID run,
    @Nullable String connection,
    @Nullable Object before,
    @Nullable Object after) {

  // As the table has it.
  private static final Pattern ACTION = Pattern.compile("[a-z_]+(\\.[a-z_]+)+");

  public Entry {
    if (!ACTION.matcher(action).matches()) {
      throw new IllegalArgumentException("an action is noun.verb, not " + action);
    }
  }

  public static Entry of(ActorId actor, String action) {
    return new Entry(actor, action, null, null, null, null, null);
  }

  public Entry agent(UUID of) {
    return new Entry(actor, action, of, run, connection, before, after);
  }

  public Entry run(UUID of) {
    return new Entry(actor, action, agent, of, connection, before, after);
  }

  public Entry connection(String name) {
    return new Entry(actor, action, agent, run, name, before, after);
  }

  public Entry before(Object value) {
    return new Entry(actor, action, agent, run, connection, value, after);
  }

  public Entry after(Object value) {
    return new Entry(actor, action, agent, run, connection, before, value);
  }
}
