package mesh.history;

import static mesh.history.Story.at;
import static mesh.history.Story.id;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import mesh.history.Event.What;
import mesh.history.Ledger.ActivityRow;
import mesh.history.Ledger.Mark;
import mesh.history.Ledger.PermissionRow;
import mesh.history.Ledger.RunRow;
import mesh.history.Ledger.TeardownRow;
import mesh.history.Ledger.WorkspaceRow;
import org.junit.jupiter.api.Test;

/** For each invariant: a history that keeps it is accepted, one that breaks it alone is not. */
class CheckerTest {

  private static final Promises PROMISES =
      Promises.ofAVendorThatEndsCommandsAfter(Duration.ofSeconds(10));

  @Test
  void aGoodHistoryIsAccepted() {
    assertThat(violations(good())).isEmpty();
  }

  // I1

  @Test
  void aSandboxThatWasMadeBeforeItsRow() {
    assertBroken(
        "I1",
        story -> {
          story.events.removeIf(event -> event.equals(new Event.Created(at(2), "one-1", true)));
          story.say(new Event.Created(at(2), "one-1", false));
        });
  }

  @Test
  void whatATestPlantedNeedsNoRow() {
    var story = good();
    story.say(new Event.Planted(at(70), "planted"));
    story.say(new Event.Created(at(71), "planted", false)).destroyed(72, "planted");

    assertThat(violations(story)).isEmpty();
  }

  // I2

  @Test
  void twoSandboxesOfOneRun() {
    assertBroken(
        "I2",
        story -> {
          story.row(9.5, "one", "lost", "one-1");
          story.row(9.6, "one", "creating", "one-2");
          story.created(9.7, "one-2").woke(9.7, "one-2").destroyed(12, "one-2");
        });
  }

  @Test
  void aReplacementAfterTheEndOfTheFirstIsFine() {
    var story =
        new Story()
            .run("w", "agent", null)
            .row(0, "w", "pending", null)
            .row(1, "w", "creating", "w-1")
            .created(2, "w-1")
            .woke(2, "w-1")
            .row(3, "w", "ready", "w-1")
            .destroyed(4, "w-1")
            .row(5, "w", "lost", "w-1")
            .row(6, "w", "creating", "w-2")
            .created(7, "w-2")
            .woke(7, "w-2")
            .row(8, "w", "ready", "w-2")
            .last("w", "agent", "ready", "w-2", 1000);
    story.living.add("w-2");

    assertThat(violations(story)).isEmpty();
  }

  /** The create took effect when its row had been given another name. */
  @Test
  void aSandboxThatNobodyCanUseIsNoSecondOne() {
    var story = good();
    story.row(8, "late", "creating", "late-1").row(9, "late", "pending", null);
    story.created(10, "late-1").woke(10, "late-1").destroyed(30, "late-1");
    story.row(11, "late", "creating", "late-2").created(12, "late-2").woke(12, "late-2");
    story.row(13, "late", "ready", "late-2").run("late", "agent", null);
    story.last("late", "agent", "ready", "late-2", 990);
    story.living.add("late-2");

    assertThat(violations(story)).isEmpty();
  }

  // I3

  @Test
  void aSandboxThatIsLeftOver() {
    assertBroken("I3", story -> story.living.add("forgotten"));
  }

  @Test
  void aRowThatBelievesInASandboxThatIsGone() {
    assertBroken("I3", story -> story.living.remove("two-1"));
  }

  // I4

  @Test
  void aCommandThatRunsOnAfterItsRun() {
    assertBroken(
        "I4",
        story -> {
          story.events.removeIf(event ->
              String.valueOf(event).contains("one-1")
                  && (event instanceof Event.Destroyed || event instanceof Event.Slept));
          story.command(9, 17, "one-1", "c9").destroyed(17, "one-1");
          story.workspaces.removeIf(row -> row.id().equals(id("one")));
          story.last("one", "agent", "released", "one-1", 100);
        });
  }

  @Test
  void aCommandThatRunsOnAfterARevocationThatLeftItsRow() {
    assertBroken(
        "I4",
        story -> {
          story.issued("two", "agent", 1);
          story.command(60, 67, "two-1", "c8");
        },
        "I6");
  }

  @Test
  void aCommandThatBeginsAfterItsWorkspaceWasReleased() {
    assertBroken(
        "I4",
        story -> {
          story.row(101, "w", "pending", null).row(102, "w", "creating", "w-1");
          story.created(103, "w-1").woke(103, "w-1").row(104, "w", "ready", "w-1");
          story.row(105, "w", "releasing", "w-1");
          story.command(112, 113, "w-1", "c1").destroyed(114, "w-1");
          story.row(115, "w", "released", "w-1").done("w", 115).run("w", "agent", null);
          story.last("w", "agent", "released", "w-1", 50);
        });
  }

  @Test
  void nobodyWatchesACommandWhoseServerWasKilled() {
    var story = good();
    story.row(101, "w", "pending", null).row(102, "w", "creating", "w-1");
    story.created(103, "w-1").woke(103, "w-1").row(104, "w", "ready", "w-1");
    story.say(new Event.Killed(at(106), "server"));
    story.row(107, "w", "releasing", "w-1");
    story.command(105, 116, "w-1", "c1").destroyed(118, "w-1");
    story.row(119, "w", "released", "w-1").done("w", 119).run("w", "agent", null);
    story.last("w", "agent", "released", "w-1", 50);

    assertThat(violations(story)).isEmpty();
  }

  @Test
  void aCommandThatIsGivenAfterItsRunsEndWasAnswered() {
    assertBroken("I4", story -> story.called(11, 12, What.EXECUTED, "run of one", 200), "kept");
  }

  @Test
  void aCommandThatIsGivenAfterItsRevocationWasAnswered() {
    assertBroken("I4", story -> story.called(52, 53, What.EXECUTED, "run of gone", 200), "kept");
  }

  // I5

  @Test
  void aWriteOfACredentialThatEndsAfterItsRevocationWasAnswered() {
    assertBroken("I5", story -> story.wrote(50.5, 51.5, "revoked-1", "c7", "first"));
  }

  @Test
  void aRevocationThatSaysItIsNotDrainedPromisesNothing() {
    var story = good();
    story.events.removeIf(event -> event instanceof Event.Called && event.at().equals(at(50)));
    story.called(50, 51, What.CREDENTIAL_SET, "agent", 202, 2);
    story.wrote(50.5, 51.5, "revoked-1", "c7", "first");

    assertThat(violations(story)).isEmpty();
  }

  @Test
  void whatWasPermittedAgainMayBeWrittenAgain() {
    var story = good();
    story.called(60, 61, What.FORBIDDEN, "agent", 200, 3).changed(60.5, "agent", 3);
    story.called(62, 63, What.PERMITTED, "agent", 200, 4).changed(62.5, "agent", 4);
    story.permissions.clear();
    story.permissions.add(new PermissionRow(id("agent"), "github", 4));
    story.row(63, "again", "pending", null).row(64, "again", "creating", "again-1");
    story.created(65, "again-1").woke(65, "again-1").row(66, "again", "ready", "again-1");
    story.wrote(67, 68, "again-1", "c1", "second").issued("again", "agent", 4);
    story.run("again", "agent", null).last("again", "agent", "ready", "again-1", 1000);
    story.living.add("again-1");

    assertThat(violations(story)).isEmpty();
  }

  // I6

  @Test
  void anOutdatedSandboxThatIsWoken() {
    assertBroken("I6", story -> story.taints.add(new Mark(id("two"), id("agent"), "github", 1)));
  }

  // I7

  @Test
  void aReleasedRowThatComesBack() {
    assertBroken(
        "I7", story -> story.row(90, "one", "ready", "one-1").row(91, "one", "released", "one-1"));
  }

  // I8

  @Test
  void aReleaseThatIsNotDone() {
    assertBroken(
        "I8",
        story -> {
          story.teardowns.removeIf(row -> row.workspace().equals(id("one")));
          story.teardowns.add(new TeardownRow(id("one"), null, 3, "503"));
        });
  }

  @Test
  void aRunThatEndedWithoutARelease() {
    assertBroken("I8", story -> story.teardowns.removeIf(row -> row.workspace().equals(id("one"))));
  }

  @Test
  void aRunThatEndedAndKeepsItsWorkspace() {
    assertBroken(
        "I8",
        story -> {
          story.run("w", "agent", 200.0).last("w", "agent", "ready", "w-1", 1000);
          story.row(101, "w", "pending", null).row(102, "w", "creating", "w-1");
          story.created(103, "w-1").woke(103, "w-1").row(104, "w", "ready", "w-1");
          story.living.add("w-1");
        });
  }

  @Test
  void aRevokedWorkspaceThatIsNotGone() {
    assertBroken(
        "I8",
        story -> {
          story.workspaces.removeIf(row -> row.id().equals(id("gone")));
          story.last("gone", "agent", "lost", "revoked-1", 36);
        });
  }

  // I9

  @Test
  void lessChargedThanWasRun() {
    assertBroken(
        "I9",
        story -> {
          story.workspaces.removeIf(row -> row.id().equals(id("one")));
          story.last("one", "agent", "released", "one-1", 9);
        });
  }

  /** It slept between the two runs, and from the end of the second one. */
  @Test
  void sleepNeedNotBeCharged() {
    var charged =
        good().workspaces.stream()
            .filter(row -> row.id().equals(id("zero")) || row.id().equals(id("two")))
            .mapToDouble(WorkspaceRow::charged)
            .sum();

    assertThat(charged).isEqualTo(19 + 940);
    assertBroken(
        "I9",
        story -> {
          story.workspaces.removeIf(row -> row.id().equals(id("zero")));
          story.last("zero", "agent", "released", null, 18);
        });
  }

  @Test
  void whatRunsInASandboxThatIsTakenToSleepIsToBeCharged() {
    assertBroken("I9", story -> story.command(998, 999.5, "two-1", "c99"), "I4");
  }

  // I10

  @Test
  void aChangeThatIsNotInTheAudit() {
    assertBroken("I10", story -> story.activity.clear());
  }

  @Test
  void aChangeThatIsInTheAuditTwice() {
    assertBroken("I10", story -> story.activity.addAll(List.copyOf(story.activity)));
  }

  @Test
  void anEntryOfWhatWasNotDone() {
    assertBroken(
        "I10",
        story -> story.activity.add(new ActivityRow("credential.set", id("agent"), "github", 9)));
  }

  // what was answered

  @Test
  void aRunThatWasAnsweredAndIsNotThere() {
    assertBroken("kept", story -> story.called(1, 2, What.RUN_STARTED, "nowhere", 201));
  }

  @Test
  void anEndThatWasAnsweredAndIsNotThere() {
    assertBroken(
        "kept",
        story -> {
          story.runs.removeIf(run -> run.id().equals(id("run of two")));
          story.runs.add(new RunRow(id("run of two"), id("agent"), "running", null, 1));
        });
  }

  @Test
  void aRevocationThatWasAnsweredAndIsNotThere() {
    assertBroken(
        "kept",
        story -> {
          story.permissions.clear();
          story.permissions.add(new PermissionRow(id("agent"), "github", 1));
        });
  }

  @Test
  void aResultThatWasAnsweredAndIsNotThere() {
    assertBroken("kept", story -> story.called(5, 6, What.EXECUTED, "run of one", 200));
  }

  @Test
  void aLostAnswerTellsNothing() {
    var story = good();
    story.lost(1, What.RUN_STARTED, "nowhere").lost(2, What.EXECUTED, "run of one");

    assertThat(violations(story)).isEmpty();
  }

  /**
   * Workspace one is made, used and released. The sandbox of workspace zero sleeps and passes to
   * workspace two, which keeps it asleep. Workspace gone is revoked.
   */
  private static Story good() {
    var story = new Story();
    story.row(0, "one", "pending", null).row(1, "one", "creating", "one-1");
    story.created(2, "one-1").woke(2, "one-1").row(3, "one", "ready", "one-1");
    story.called(4, 5, What.EXECUTED, "run of one", 200).command(4.2, 4.8, "one-1", "c1");
    story.called(10, 10.2, What.RUN_ENDED, "run of one", 200).run("one", "agent", 10.0);
    story.row(10, "one", "releasing", "one-1", "released", "run_completed");
    story.destroyed(12, "one-1").row(13, "one", "released", "one-1").done("one", 13);
    story.last("one", "agent", "released", "one-1", 20);

    story.say(new Event.Known(at(18), id("agent"), "github", "first"));
    story.called(18, 18.1, What.CREDENTIAL_SET, "agent", 200, 1);
    story.row(19, "gone", "pending", null).row(20, "gone", "creating", "revoked-1");
    story.issued("gone", "agent", 1);
    story.created(21, "revoked-1").woke(21, "revoked-1").row(22, "gone", "ready", "revoked-1");
    story.wrote(23, 24, "revoked-1", "c1", "first").command(45, 55, "revoked-1", "c2");
    story.run("gone", "agent", null);
    story.say(new Event.Known(at(49), id("agent"), "github", "second"));
    story.called(50, 51, What.CREDENTIAL_SET, "agent", 200, 2).changed(50.2, "agent", 2);
    story.row(50.2, "gone", "releasing", "revoked-1", "released", "authorization_changed");
    story.destroyed(55, "revoked-1").row(56, "gone", "released", "revoked-1").done("gone", 56);
    story.last("gone", "agent", "released", "revoked-1", 36);
    story.permissions.add(new PermissionRow(id("agent"), "github", 2));

    story.row(30, "zero", "pending", null).row(30, "zero", "creating", "two-1");
    story.created(31, "two-1").woke(31, "two-1").row(32, "zero", "ready", "two-1");
    story.run("zero", "agent", 40.0);
    story.row(40, "zero", "releasing", "two-1", "held", "run_completed");
    story.command(41, 49, "two-1", "look");
    story.row(50, "zero", "held", "two-1", "held", "run_completed").done("zero", 50);
    story.row(57, "zero", "released", null, "held", "continued");
    story.last("zero", "agent", "released", null, 19);
    story.row(55, "two", "pending", null).row(57, "two", "creating", "two-1");
    story.row(59, "two", "ready", "two-1");
    story.issued("two", "agent", 2).run("two", "agent", 996.0);
    story.row(996, "two", "releasing", "two-1", "held", "run_completed");
    story.row(997, "two", "held", "two-1", "held", "run_completed").done("two", 997);
    story.called(995, 996, What.RUN_ENDED, "run of two", 200);
    story.inherited("two", "zero", "agent", "held", "two-1", 940);
    story.living.add("two-1");
    return story;
  }

  private static List<Violation> violations(Story story) {
    return Checker.with(PROMISES).violations(story.told());
  }

  /** Breaks this one, and of the others at most those named. */
  private static void assertBroken(String name, Consumer<Story> breaking, String... also) {
    var story = good();
    breaking.accept(story);

    assertThat(violations(story))
        .extracting(Violation::invariant)
        .contains(name)
        .allMatch(broken -> broken.equals(name) || List.of(also).contains(broken));
  }
}
