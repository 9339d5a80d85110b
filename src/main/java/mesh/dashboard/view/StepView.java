package mesh.dashboard.view;

import java.util.List;
import mesh.dashboard.output.Folded;

/** One step of a run's timeline. */
public sealed interface StepView {

  int seq();

  /** Differs whenever what is shown does. */
  String version();

  /** Time since the run started, such as "+3.2 s". */
  String offset();

  When at();

  /**
   * Mesh tells the reader something.
   *
   * @param points what follows from it, a sentence each
   */
  record Notice(int seq, String version, String offset, When at, String text, List<String> points)
      implements StepView {

    public Notice {
      points = List.copyOf(points);
    }
  }

  /** The model spoke; without text it only chose tools. */
  record Said(
      int seq,
      String version,
      String offset,
      When at,
      Badge state,
      String duration,
      String since,
      String text,
      List<Fact> facts)
      implements StepView {

    public Said {
      facts = List.copyOf(facts);
    }
  }

  /**
   * A tool was called.
   *
   * @param verb what it does in a word, such as "run" or "read"
   * @param subject what it does it to, in one line: a command, a path
   * @param script more than one line of program; empty for none
   * @param outcome such as "exit 0" or "ended by signal 9"; empty while it runs
   * @param facts directory, timeout, sizes
   * @param notes sentences for people: redactions, children left behind, why it failed
   * @param downloads where the whole output is; empty if all of it is here
   */
  record Called(
      int seq,
      String version,
      String offset,
      When at,
      Badge state,
      String duration,
      String since,
      String tool,
      String verb,
      String subject,
      Folded script,
      String outcome,
      List<Fact> facts,
      List<Output> outputs,
      List<String> notes,
      List<Link> downloads)
      implements StepView {

    public Called {
      facts = List.copyOf(facts);
      outputs = List.copyOf(outputs);
      notes = List.copyOf(notes);
      downloads = List.copyOf(downloads);
    }
  }

  /**
   * What came out of one channel.
   *
   * @param label such as "stdout"; empty where it needs none
   * @param error whether it is the error channel
   */
  record Output(String label, boolean error, Folded rows) {}

  /** A file to save. */
  record Link(String text, String address) {}
}
