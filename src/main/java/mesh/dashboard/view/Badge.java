package mesh.dashboard.view;

/** A state in one word with its mark. */
public record Badge(Mark mark, String word) {}
