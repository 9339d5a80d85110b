package mesh.redaction;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Keeps secrets out of the log, whoever writes into it: what a vendor or a driver says may quote
 * what it was sent. Works on the finished line, stack trace and all, of whichever appenders the
 * logging system set up.
 */
public final class LogRedaction implements AutoCloseable {

  private static final List<Supplier<? extends Collection<Redactions>>> SOURCES =
      new CopyOnWriteArrayList<>();

  private final Supplier<? extends Collection<Redactions>> source;

  private LogRedaction(Supplier<? extends Collection<Redactions>> source) {
    this.source = source;
  }

  /**
   * From now on, and until this is closed, nothing is logged as {@code source} has it.
   *
   * @param source asked for each line; fast, and never logs
   */
  public static LogRedaction with(Supplier<? extends Collection<Redactions>> source) {
    SOURCES.add(source);
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      wrap(context);
    }
    return new LogRedaction(source);
  }

  /** A text as the log may have it now. For formats that would hide a secret behind escapes. */
  public static String clean(String text) {
    var clean = text;
    for (var source : SOURCES) {
      for (var redactions : source.get()) {
        clean = redactions.apply(clean);
      }
    }
    return clean;
  }

  private static synchronized void wrap(LoggerContext context) {
    for (var logger : context.getLoggerList()) {
      logger
          .iteratorForAppenders()
          .forEachRemaining(appender -> {
            if (appender instanceof OutputStreamAppender<ILoggingEvent> stream
                && !(stream.getEncoder() instanceof Redacting)) {
              var redacting = new Redacting(stream.getEncoder());
              redacting.setContext(context);
              redacting.start();
              stream.setEncoder(redacting);
            }
          });
    }
  }

  @Override
  public void close() {
    SOURCES.remove(source);
  }

  private static final class Redacting extends EncoderBase<ILoggingEvent> {

    private final Encoder<ILoggingEvent> encoder;

    private Redacting(Encoder<ILoggingEvent> encoder) {
      this.encoder = encoder;
    }

    @Override
    public byte[] headerBytes() {
      return encoder.headerBytes();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      var line = encoder.encode(event);
      for (var source : SOURCES) {
        for (var redactions : source.get()) {
          line = redactions.window(line, 0, line.length).bytes();
        }
      }
      return line;
    }

    @Override
    public byte[] footerBytes() {
      return encoder.footerBytes();
    }

    @Override
    public void stop() {
      encoder.stop();
      super.stop();
    }
  }
}
