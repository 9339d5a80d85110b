package mesh.dashboard.view;

/**
 * Something to tell at the top of a page: on every page what needs a person, on one page what was
 * just done there.
 *
 * @param href where to see more; empty for nowhere
 * @param link what the link says
 */
public record Banner(Mark mark, String title, String text, String href, String link) {

  public Banner(Mark mark, String title, String text) {
    this(mark, title, text, "", "");
  }
}
