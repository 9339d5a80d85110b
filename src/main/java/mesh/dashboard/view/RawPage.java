package mesh.dashboard.view;

/**
 * A run's steps as they are stored.
 *
 * @param json indented
 */
public record RawPage(Shell shell, RunHead head, String title, String json) {}
