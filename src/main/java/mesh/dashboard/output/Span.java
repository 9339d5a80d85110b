package mesh.dashboard.output;

/**
 * A piece of a line in one style.
 *
 * @param text to be printed as a text node
 * @param classes of the stylesheet, separated by blanks; empty for plain text
 */
public record Span(String text, String classes) {}
