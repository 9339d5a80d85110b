package mesh.execution.modal;

/**
 * The way to one running sandbox's commands.
 *
 * @param task what the vendor calls the sandbox there
 * @param url of the worker's router
 * @param token lets in to this sandbox alone, for a while
 */
record Access(String task, String url, String token) {

  @Override
  public String toString() {
    return "Access[" + task + "]";
  }
}
