package mesh.dashboard.view;

/**
 * @param what happened, and why if that is known
 * @param next what to do
 * @param reference to look for in the log; empty if nothing was logged
 */
public record ProblemPage(
    Frame frame, int status, String title, String what, String next, String reference) {}
