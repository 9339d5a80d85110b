package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import mesh.execution.ExternalRef;

/**
 * Tells one pod from a later one of the same name.
 *
 * <p>It is the uid of the first pod that a sandbox had. Restoring a snapshot replaces the pod, and
 * the new one carries the first one's uid in an annotation; whoever else makes a pod of that name
 * makes a stranger.
 */
record Identity(String pod, String uid) {

  static final String FIRST_UID = "mesh/first-uid";

  static Identity of(Pod pod) {
    var meta = pod.getMetadata();
    var annotations = meta.getAnnotations();
    var first = annotations == null ? null : annotations.get(FIRST_UID);
    return new Identity(meta.getName(), first == null ? meta.getUid() : first);
  }

  static Identity parse(String text) {
    int at = text.indexOf('/');
    return at < 0
        ? new Identity(text, "")
        : new Identity(text.substring(0, at), text.substring(at + 1));
  }

  static Identity of(ExternalRef ref) {
    return parse(ref.reveal());
  }

  String text() {
    return pod + "/" + uid;
  }

  ExternalRef ref() {
    return ExternalRef.of(text());
  }

  boolean isOf(Pod other) {
    return of(other).equals(this);
  }
}
