package mesh.inference;

/** Speaks one protocol with one connection's service. Thread-safe. */
interface Client {

  Connection connection();

  /** Asks once. An interrupt ends it with whatever the transport makes of that. */
  Reply ask(Question question) throws Trouble;
}
