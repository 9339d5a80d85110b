package mesh.tool;

import java.time.Duration;
import java.util.function.UnaryOperator;

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

  /** The same, in other words: the sentence and what else was given by the caller. */
  public abstract ToolRefusal reworded(UnaryOperator<String> words);

  /** There is no such tool. */
  public static final class Unknown extends ToolRefusal {
    public Unknown(String sentence) {
      super("tool_unknown", sentence);
    }

    @Override
    public ToolRefusal reworded(UnaryOperator<String> words) {
      return new Unknown(words.apply(sentence()));
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

    @Override
    public ToolRefusal reworded(UnaryOperator<String> words) {
      return new BadArguments(code(), words.apply(pointer), words.apply(sentence()));
    }
  }

  /** The operator helps: a setting, a limit, a credential. */
  public static final class NotPossible extends ToolRefusal {
    public NotPossible(String code, String sentence) {
      super(code, sentence);
    }

    @Override
    public ToolRefusal reworded(UnaryOperator<String> words) {
      return new NotPossible(code(), words.apply(sentence()));
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

    @Override
    public ToolRefusal reworded(UnaryOperator<String> words) {
      return new TryLater(code(), words.apply(sentence()), after);
    }
  }

  /** Nothing helps: the run has ended. */
  public static final class RunOver extends ToolRefusal {
    public RunOver() {
      super("run_ended", "The run has ended: its tools cannot be called any more.");
    }

    @Override
    public ToolRefusal reworded(UnaryOperator<String> words) {
      return this;
    }
  }
}
