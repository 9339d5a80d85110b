package mesh.simulator.model;

import java.time.Duration;
import java.util.Map;

/** What goes wrong with one request. */
public sealed interface Fault {

  /** An error in the vendor's form. */
  record Refused(int status, String code, String message, Map<String, String> headers)
      implements Fault {}

  /** The reply, up to so many bytes of its stream. */
  record Cut(int bytes) implements Fault {}

  /** The reply's first events, and then the orderly end of the answer. */
  record Ended(int events) implements Fault {}

  /** The beginning of the reply, and then nothing for as long as the client waits. */
  record Silent() implements Fault {}

  /** The reply, with a pause before each event. */
  record Slow(Duration pause) implements Fault {}

  /** The beginning of the reply, and then an error in its stream. */
  record BrokenStream(String code, String message) implements Fault {}

  /** Something else altogether, with status 200. */
  record Other(String contentType, String body) implements Fault {}

  /** Sends the client elsewhere. */
  record Redirected(String location) implements Fault {}

  /** A connection that ends before there is an answer. */
  record Dropped() implements Fault {}
}
