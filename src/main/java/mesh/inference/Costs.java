package mesh.inference;

/** Turns what a service counted into a {@link Reply.Usage}. */
final class Costs {

  private static final long PER_MILLION = 1_000_000;

  /** More than any reply takes; what a service counts beyond it is nonsense. */
  private static final long MOST = 1_000_000_000;

  private Costs() {}

  /**
   * @param input all tokens read
   * @param cached those of them that came from a cache
   */
  static Reply.Usage usage(
      Connection connection, String model, long input, long cached, long output) {
    var read = Math.clamp(input, 0, MOST);
    var fromCache = Math.clamp(cached, 0, read);
    var said = Math.clamp(output, 0, MOST);
    for (var price : connection.prices()) {
      if (price.model().equals(model)) {
        var cost =
            (double) (read - fromCache) * price.input()
                + (double) fromCache * price.cachedInput()
                + (double) said * price.output();
        return new Reply.Usage(read, fromCache, said, Math.round(cost / PER_MILLION));
      }
    }
    return new Reply.Usage(read, fromCache, said, 0);
  }
}
