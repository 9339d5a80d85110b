package mesh.settings;

import java.math.BigDecimal;
import java.math.RoundingMode;
import mesh.inference.Connection;
import org.jspecify.annotations.Nullable;

/**
 * What a model costs, in any currency per million tokens, with at most six decimals, 0 to
 * 1,000,000.
 *
 * @param model the name that its service knows it by; 1 to 200 characters
 * @param cachedInput of what its service had in a cache; as {@code input} if it is not told
 */
public record ModelPrice(
    String model, BigDecimal input, BigDecimal cachedInput, BigDecimal output) {

  /** For one connection. */
  static final int MOST = 200;

  static final int LONGEST_MODEL = 200;

  private static final BigDecimal HIGHEST = BigDecimal.valueOf(1_000_000);
  private static final int DECIMALS = 6;

  /**
   * @throws IllegalArgumentException with a sentence
   */
  public ModelPrice {
    if (model.isBlank()
        || model.length() > LONGEST_MODEL
        || model.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("A price names its model with 1 to 200 characters.");
    }
    input = checked(model, input);
    cachedInput = checked(model, cachedInput);
    output = checked(model, output);
  }

  public static ModelPrice of(
      String model, BigDecimal input, @Nullable BigDecimal cachedInput, BigDecimal output) {
    return new ModelPrice(model, input, cachedInput == null ? input : cachedInput, output);
  }

  Connection.Price counted() {
    return new Connection.Price(model, micros(input), micros(cachedInput), micros(output));
  }

  private static long micros(BigDecimal price) {
    return price.movePointRight(DECIMALS).setScale(0, RoundingMode.UNNECESSARY).longValueExact();
  }

  private static BigDecimal checked(String model, BigDecimal price) {
    // Before anything is computed with it: 1e999999999 is short to write and long to compare.
    if (price.scale() < -DECIMALS || price.scale() > 2 * DECIMALS) {
      throw wrong(model);
    }
    var stripped = price.stripTrailingZeros();
    if (price.signum() < 0 || price.compareTo(HIGHEST) > 0 || stripped.scale() > DECIMALS) {
      throw wrong(model);
    }
    return stripped.scale() < 0 ? stripped.setScale(0, RoundingMode.UNNECESSARY) : stripped;
  }

  private static IllegalArgumentException wrong(String model) {
    return new IllegalArgumentException(
        "A price of '%s' must be a number from 0 to 1,000,000 with at most six decimals, for a million tokens."
            .formatted(model));
  }
}
