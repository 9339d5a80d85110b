package mesh.workspace;

/**
 * A window of one channel of an artifact.
 *
 * @param text cut between characters; bytes that are not UTF-8 as U+FFFD
 * @param nextOffset where it ended, in bytes
 * @param eof whether nothing follows and nothing will
 */
record ArtifactPage(String text, long nextOffset, boolean eof) {}
