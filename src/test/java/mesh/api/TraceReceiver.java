package mesh.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Takes traces as a collector does: OTLP over HTTP, {@code ExportTraceServiceRequest} of
 * opentelemetry-proto. Field numbers are those of {@code trace.proto} and {@code common.proto}.
 */
final class TraceReceiver implements AutoCloseable {

  private final HttpServer server;
  private final List<byte[]> bodies = new CopyOnWriteArrayList<>();

  /** One span. */
  record Exported(
      String trace, String id, String parent, String name, Map<String, String> attributes) {}

  private TraceReceiver(HttpServer server) {
    this.server = server;
  }

  static TraceReceiver start() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var receiver = new TraceReceiver(server);
      server.createContext(
          "/v1/traces",
          exchange -> {
            receiver.bodies.add(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      return receiver;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** All that came, byte by byte. */
  String everything() {
    var text = new StringBuilder();
    bodies.forEach(body -> text.append(new String(body, ISO_8859_1)).append('\n'));
    return text.toString();
  }

  List<Exported> spans() {
    return bodies.stream()
        .flatMap(body -> messages(parsed(ByteString.copyFrom(body)), 1))
        .flatMap(resource -> messages(resource, 2))
        .flatMap(scope -> messages(scope, 2))
        .map(TraceReceiver::span)
        .toList();
  }

  private static Exported span(UnknownFieldSet span) {
    var attributes = new HashMap<String, String>();
    messages(span, 9)
        .forEach(attribute ->
            attributes.put(
                bytes(attribute, 1).toString(UTF_8),
                bytes(parsed(bytes(attribute, 2)), 1).toString(UTF_8)));
    return new Exported(
        hex(bytes(span, 1)),
        hex(bytes(span, 2)),
        hex(bytes(span, 4)),
        bytes(span, 5).toString(UTF_8),
        attributes);
  }

  private static Stream<UnknownFieldSet> messages(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream().map(TraceReceiver::parsed);
  }

  private static ByteString bytes(UnknownFieldSet message, int field) {
    var all = message.getField(field).getLengthDelimitedList();
    return all.isEmpty() ? ByteString.EMPTY : all.getFirst();
  }

  private static UnknownFieldSet parsed(ByteString bytes) {
    try {
      return UnknownFieldSet.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
