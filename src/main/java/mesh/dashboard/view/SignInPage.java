package mesh.dashboard.view;

/**
 * @param problem why the last try failed; empty if there was none
 * @param notice such as "You are signed out."; empty for none
 * @param setUpOpen whether there is nobody yet who could sign in
 */
public record SignInPage(Frame frame, String problem, String notice, boolean setUpOpen) {}
