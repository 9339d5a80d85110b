package mesh.inference;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Ids of calls, unique in a run whatever a service makes of them. Some leave them empty, some begin
 * anew with every reply: what is short or was there before is replaced, by nine letters and digits,
 * the form that the strictest service takes.
 */
final class CallIds {

  private static final Pattern FINE = Pattern.compile("[a-zA-Z0-9_.:-]{9,64}");
  private static final int LENGTH = 9;

  private final Set<String> taken = new HashSet<>();
  private final Supplier<UUID> random;

  CallIds(Prompt prompt, Supplier<UUID> random) {
    this.random = random;
    for (var message : prompt.messages()) {
      if (message instanceof Message.Replied(var reply)) {
        reply.calls().forEach(call -> taken.add(call.id()));
      }
    }
  }

  String next(String offered) {
    var id = offered;
    while (!FINE.matcher(id).matches() || !taken.add(id)) {
      var digits =
          "0".repeat(LENGTH) + Long.toUnsignedString(random.get().getLeastSignificantBits(), 36);
      id = digits.substring(digits.length() - LENGTH);
    }
    return id;
  }
}
