package mesh.execution.catalog;

/**
 * How well a backend restricts where sandboxes connect.
 *
 * @param grade {@code dns}, {@code sni}, {@code l7} or {@code kernel}, weakest first
 * @param staysOpen one sentence
 * @param mostDomains the longest list that the vendor takes
 */
public record DeclaredEgress(String grade, String staysOpen, int mostDomains) {}
