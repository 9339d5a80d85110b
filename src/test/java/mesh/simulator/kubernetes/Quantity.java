package mesh.simulator.kubernetes;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** An amount of a resource, for example {@code 500m} or {@code 2Gi}. */
record Quantity(BigDecimal amount) implements Comparable<Quantity> {

  static final Quantity ZERO = new Quantity(BigDecimal.ZERO);

  private static final Pattern FORM = Pattern.compile("([+-]?[0-9.]+)([numkMGTPE]|[KMGTPE]i|)");
  private static final Map<String, BigDecimal> FACTORS = factors();

  private static Map<String, BigDecimal> factors() {
    var factors = new LinkedHashMap<String, BigDecimal>();
    var binary = BigDecimal.valueOf(1024);
    var prefixes = "KMGTPE";
    for (var at = prefixes.length(); at > 0; at--) {
      factors.put(prefixes.charAt(at - 1) + "i", binary.pow(at));
    }
    factors.put("n", BigDecimal.valueOf(1, 9));
    factors.put("u", BigDecimal.valueOf(1, 6));
    factors.put("m", BigDecimal.valueOf(1, 3));
    factors.put("", BigDecimal.ONE);
    factors.put("k", BigDecimal.TEN.pow(3));
    for (var at = 2; at <= prefixes.length(); at++) {
      factors.put(prefixes.substring(at - 1, at), BigDecimal.TEN.pow(3 * at));
    }
    return factors;
  }

  /**
   * @throws Refusal if it is none
   */
  static Quantity parse(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw Refusal.badRequest(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    var factor = FACTORS.getOrDefault(matcher.group(2), BigDecimal.ONE);
    return new Quantity(new BigDecimal(matcher.group(1)).multiply(factor));
  }

  Quantity plus(Quantity other) {
    return new Quantity(amount.add(other.amount));
  }

  Quantity minus(Quantity other) {
    return new Quantity(amount.subtract(other.amount));
  }

  boolean isMoreThan(Quantity other) {
    return compareTo(other) > 0;
  }

  /** Of an amount of bytes. */
  long bytes() {
    return amount.longValue();
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  /** As the API writes it: the largest binary unit that leaves nothing, thousandths of a whole. */
  @Override
  public String toString() {
    if (amount.signum() == 0) {
      return "0";
    }
    if (amount.stripTrailingZeros().scale() > 0) {
      return amount.movePointRight(3).longValue() + "m";
    }
    for (var unit : FACTORS.entrySet()) {
      if (unit.getKey().endsWith("i") && amount.remainder(unit.getValue()).signum() == 0) {
        return amount.divide(unit.getValue()).toBigInteger() + unit.getKey();
      }
    }
    return amount.toBigInteger().toString();
  }
}
