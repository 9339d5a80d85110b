package mesh.dashboard.view;

/**
 * @param problem why the last try failed; empty if there was none
 * @param notice such as "You are signed out."; empty for none
 */
public record SignInPage(Frame frame, String problem, String notice) {}
