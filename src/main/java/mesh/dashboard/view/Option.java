package mesh.dashboard.view;

/** An entry of a select. */
public record Option(String value, String label, boolean selected) {}
