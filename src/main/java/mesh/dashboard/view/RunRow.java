package mesh.dashboard.view;

/**
 * A run in a list.
 *
 * @param reason of a status that is not plain success; empty otherwise
 * @param since RFC 3339 moment from which the page may count on; empty if the run has ended
 */
public record RunRow(
    String id,
    String shortId,
    Badge status,
    String reason,
    String agent,
    String task,
    String actor,
    When created,
    String duration,
    String since,
    String compute) {}
