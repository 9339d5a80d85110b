package mesh.dashboard.view;

/** Something that needs a person, told at the top of every page. */
public record Banner(Mark mark, String title, String text) {}
