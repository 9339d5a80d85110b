package mesh.simulator.modal;

import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The faults switched on at a simulator. Thread-safe; the first that matches a call strikes. */
public final class Faults {

  private static final class Rule {
    private final String method;
    private final Fault fault;
    private final double probability;
    private final Random random;
    private long left;
    private long spared;

    private Rule(String method, Fault fault, double probability, Random random, long left) {
      this.method = method;
      this.fault = fault;
      this.probability = probability;
      this.random = random;
      this.left = left;
    }

    private boolean strikes(String call) {
      if (!call.equals(method) || left == 0 || random.nextDouble() >= probability) {
        return false;
      }
      if (spared > 0) {
        spared--;
        return false;
      }
      left--;
      return true;
    }
  }

  private final List<Rule> rules = new ArrayList<>();

  Faults() {}

  /** Strikes the next {@code count} calls of this method. */
  public synchronized void next(int count, MethodDescriptor<?, ?> method, Fault fault) {
    rules.add(new Rule(method.getFullMethodName(), fault, 1, new Random(0), count));
  }

  /** Strikes the next call of this method. */
  public void next(MethodDescriptor<?, ?> method, Fault fault) {
    next(1, method, fault);
  }

  /** Spares the next {@code count} calls of this method and strikes the one after them. */
  public synchronized void after(int count, MethodDescriptor<?, ?> method, Fault fault) {
    var rule = new Rule(method.getFullMethodName(), fault, 1, new Random(0), 1);
    rule.spared = count;
    rules.add(rule);
  }

  /** Strikes every call of this method until {@link #clear}. */
  public synchronized void always(MethodDescriptor<?, ?> method, Fault fault) {
    rules.add(new Rule(method.getFullMethodName(), fault, 1, new Random(0), Long.MAX_VALUE));
  }

  /**
   * Strikes calls of this method by chance; the same seed and order of calls strike the same ones.
   *
   * @param probability from 0 to 1
   */
  public synchronized void randomly(
      long seed, double probability, MethodDescriptor<?, ?> method, Fault fault) {
    rules.add(
        new Rule(method.getFullMethodName(), fault, probability, new Random(seed), Long.MAX_VALUE));
  }

  public synchronized void clear() {
    rules.clear();
  }

  synchronized Optional<Fault> strike(MethodDescriptor<?, ?> method) {
    return rules.stream()
        .filter(rule -> rule.strikes(method.getFullMethodName()))
        .findFirst()
        .map(rule -> rule.fault);
  }
}
