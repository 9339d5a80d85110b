package mesh.tool;

import java.time.Duration;

/** A call could not be done. The kinds are told apart by what helps. */
public abstract sealed class ToolRefusal extends RuntimeException {

  private final String code;

  private ToolRefusal(String code, String sentence) {
    super(sentence, null, false, false);
    this.code = code;
  }

  /** Stable, lower snake case. */
  public String code() {
    return code;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }

  /** There is no such tool. */
  public static final class Unknown extends ToolRefusal {
    public Unknown(String sentence) {
      super("tool_unknown", sentence);
    }
  }

  /** Other arguments help. */
  public static final class BadArguments extends ToolRefusal {
    private final String pointer;

    /**
     * @param pointer JSON pointer of the argument at fault; empty for the arguments as a whole
     */
    public BadArguments(String pointer, String sentence) {
      this("arguments_invalid", pointer, sentence);
    }

    /** As the other, under a code of its own. */
    public BadArguments(String code, String pointer, String sentence) {
      super(code, sentence);
      this.pointer = pointer;
    }

    public String pointer() {
      return pointer;
    }
  }

  /** The operator helps: a setting, a limit, a credential. */
  public static final class NotPossible extends ToolRefusal {
    public NotPossible(String code, String sentence) {
      super(code, sentence);
    }
  }

  /** Time helps. */
  public static final class TryLater extends ToolRefusal {
    private final Duration after;

    /**
     * @param after zero if nobody knows
     */
    public TryLater(String code, String sentence, Duration after) {
      super(code, sentence);
      this.after = after;
    }

    public Duration after() {
      return after;
    }
  }

  /** Nothing helps: the run has ended. */
  public static final class RunOver extends ToolRefusal {
    public RunOver() {
      super("run_ended", "The run has ended: its tools cannot be called any more.");
    }
  }
}
