package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.RuntimesPage;
import mesh.dashboard.view.RuntimesPage.Ability;
import mesh.dashboard.view.RuntimesPage.Clear;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.DeclaredCapability;
import mesh.execution.catalog.Isolation;
import mesh.settings.RuntimeSetting;
import mesh.workspace.RuntimeTrial;
import mesh.workspace.RuntimeTrials;
import org.jspecify.annotations.Nullable;

/**
 * Runtimes as their page shows them.
 *
 * @param pins slugs of the agents that are pinned, by runtime
 * @param live how many workspaces have a sandbox, by runtime
 * @param tests the last one of each runtime that was tested
 */
record RuntimeCards(
    Map<String, List<String>> pins,
    Map<String, Integer> live,
    Map<String, RuntimeTrials.Trial> tests,
    RefusedForm refused,
    Instant now) {

  /** More are counted only. */
  private static final int MOST_NAMES = 20;

  RuntimesPage.Card card(RuntimeSetting runtime) {
    String name = runtime.descriptor().name().value();
    return new RuntimesPage.Card(
        name,
        runtime.descriptor().title(),
        runtime.descriptor().summary(),
        state(runtime),
        runtime.isDefault(),
        runtime.descriptor().warning(),
        facts(runtime),
        runtime.capabilities().stream()
            .filter(DeclaredCapability::present)
            .map(RuntimeCards::ability)
            .toList(),
        runtime.capabilities().stream()
            .filter(it -> !it.present())
            .map(DeclaredCapability::withoutIt)
            .toList(),
        test(tests.get(name)),
        RuntimeFields.facts(runtime, now),
        new RuntimesPage.Form(
            refused.is(name),
            runtime.configured(),
            runtime.enabled(),
            RuntimeFields.inputs(runtime, refused, now),
            runtime.enabled() ? question(runtime) : "",
            runtime.descriptor().fields().stream()
                .filter(it -> mayBeCleared(runtime, it))
                .map(it -> clear(runtime, it))
                .toList()));
  }

  private static Badge state(RuntimeSetting runtime) {
    if (!runtime.configured()) {
      return new Badge(runtime.enabled() ? Mark.ATTENTION : Mark.QUIET, "Needs configuration");
    }
    return runtime.enabled()
        ? new Badge(Mark.GOOD, "Enabled")
        : new Badge(Mark.QUIET, "Not enabled");
  }

  private static Ability ability(DeclaredCapability capability) {
    return new Ability(
        capability.withIt(),
        capability.grade().isEmpty()
            ? ""
            : "Enforced by %s. %s"
                .formatted(EgressWords.grade(capability.grade()), capability.staysOpen()));
  }

  private List<Fact> facts(RuntimeSetting runtime) {
    List<String> pinned = pinned(runtime);
    return List.of(
        Fact.of("Isolation", words(runtime.descriptor().isolation())),
        Fact.of("Largest workspace", runtime.maxSize().orElse("as the vendor has it")),
        Fact.of("Live workspaces", "%,d".formatted(live(runtime))),
        new Fact(
            "Pinned agents",
            "%,d".formatted(pinned.size()),
            pinned.isEmpty() ? "" : names(pinned),
            false));
  }

  /** What separates one sandbox's code from everything else. */
  static String words(Isolation isolation) {
    return switch (isolation) {
      case DIRECTORY -> "None: a directory of its own";
      case NAMESPACE -> "Namespaces of an ordinary user";
      case CONTAINER -> "A container";
      case KERNEL_EMULATION -> "A kernel of its own in user space";
      case MICROVM -> "A virtual machine of its own";
    };
  }

  /** What disabling does, before it is done. */
  private String question(RuntimeSetting runtime) {
    List<String> pinned = pinned(runtime);
    int count = live(runtime);
    return "Disable %s? ".formatted(runtime.descriptor().title())
        + switch (pinned.size()) {
          case 0 -> "No agent is pinned to it.";
          case 1 ->
              "1 agent is pinned to it: %s. It goes back to the instance default."
                  .formatted(names(pinned));
          default ->
              "%,d agents are pinned to it: %s. They go back to the instance default."
                  .formatted(pinned.size(), names(pinned));
        }
        + switch (count) {
          case 0 -> " It has no live workspace.";
          case 1 -> " 1 live workspace stays and is released as usual.";
          default -> " %,d live workspaces stay and are released as usual.".formatted(count);
        };
  }

  /** A runtime that is enabled cannot do without what is required. */
  private static boolean mayBeCleared(RuntimeSetting runtime, ConfigField field) {
    return runtime.secrets().containsKey(field.key()) && !(runtime.enabled() && field.required());
  }

  private Clear clear(RuntimeSetting runtime, ConfigField field) {
    int count = live(runtime);
    return new Clear(
        field.key(),
        field.label(),
        "Clear 1 secret, %s of %s? Nobody can read it back."
                .formatted(field.label(), runtime.descriptor().title())
            + (count == 0 || !field.required()
                ? ""
                : " Mesh cannot release %s without it until it is entered again."
                    .formatted(
                        Spoken.count(count, "live workspace there", "live workspaces there"))));
  }

  private RuntimesPage.@Nullable Test test(RuntimeTrials.@Nullable Trial trial) {
    if (trial == null) {
      return null;
    }
    return new RuntimesPage.Test(
        trial.ok() ? new Badge(Mark.GOOD, "Passed") : new Badge(Mark.BAD, "Failed"),
        When.of(trial.at(), now),
        VisibleText.line(trial.by()),
        errors(trial),
        trial.steps().stream().map(RuntimeCards::step).toList(),
        lines(trial.steps().stream().map(RuntimeTrial.Step::note)));
  }

  /** One that did not even open has an error and no steps. */
  private static List<String> errors(RuntimeTrials.Trial trial) {
    var ofSteps = lines(trial.steps().stream().map(RuntimeTrial.Step::error));
    return ofSteps.isEmpty() ? lines(Stream.of(trial).map(RuntimeTrials.Trial::error)) : ofSteps;
  }

  private static List<String> lines(Stream<@Nullable String> texts) {
    return texts.filter(Objects::nonNull).map(VisibleText::line).toList();
  }

  private static Fact step(RuntimeTrial.Step step) {
    return Fact.of(
        VisibleText.line(step.step().replace('_', ' ')),
        Spoken.duration(Duration.ofMillis(step.ms())) + (step.ok() ? "" : ", failed"));
  }

  private int live(RuntimeSetting runtime) {
    return live.getOrDefault(runtime.descriptor().name().value(), 0);
  }

  private List<String> pinned(RuntimeSetting runtime) {
    return pins.getOrDefault(runtime.descriptor().name().value(), List.of());
  }

  /** As far as they fit into a sentence. */
  static String names(List<String> slugs) {
    int left = slugs.size() - MOST_NAMES;
    return left <= 0
        ? String.join(", ", slugs)
        : String.join(", ", slugs.subList(0, MOST_NAMES)) + " and %,d more".formatted(left);
  }
}
