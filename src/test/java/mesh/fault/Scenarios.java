package mesh.fault;

import static mesh.fault.FaultPoint.CLAIM_COMMITTED;
import static mesh.fault.FaultPoint.CLAIM_OPEN;
import static mesh.fault.FaultPoint.COMMAND_ENDED;
import static mesh.fault.FaultPoint.COMMAND_PREPARED;
import static mesh.fault.FaultPoint.COMMAND_RUNNING;
import static mesh.fault.FaultPoint.CONTINUATION_COMMITTED;
import static mesh.fault.FaultPoint.DELIVERY_LOCKED;
import static mesh.fault.FaultPoint.DELIVERY_WRITTEN;
import static mesh.fault.FaultPoint.ORPHAN_FOUND;
import static mesh.fault.FaultPoint.RELEASE_CLAIMED;
import static mesh.fault.FaultPoint.RELEASE_UNRECORDED;
import static mesh.fault.FaultPoint.REVOCATION_COMMITTED;
import static mesh.fault.FaultPoint.REVOCATION_DRAINED;
import static mesh.fault.FaultPoint.REVOCATION_OPEN;
import static mesh.fault.FaultPoint.RUN_END_COMMITTED;
import static mesh.fault.FaultPoint.SANDBOX_RECORDED;
import static mesh.fault.FaultPoint.SANDBOX_UNRECORDED;
import static mesh.fault.FaultPoint.WAKE_UNRECORDED;
import static mesh.fault.FaultPoint.WORKSPACE_READY;
import static mesh.fault.Scene.must;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import mesh.Await;
import mesh.fault.Clients.Run;
import mesh.fault.Scenario.Drive;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;

/**
 * All crashes. Those whose recovery takes longest come first, so that it goes on beside the others;
 * and before them those that need a fault at the vendor, so that none is there to strike others.
 */
final class Scenarios {

  private static final Duration HELD_UP = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String COMMAND = "echo begun; sleep 2; echo done";

  private Scenarios() {}

  static List<Scenario> all() {
    return Stream.of(
            atTheVendor(), releases(), acquisitions(), executions(), revocations(), sleep())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Scenario> atTheVendor() {
    return List.of(
        Scenario.whileTheVendorIsAsked(
            "A4 created, answer lost",
            scene -> {
              scene.vendor().faults().next(CallKind.CREATE, new Fault.LostResponse());
              // Whoever lost the answer asks whether it is there.
              scene.vendor().faults().next(CallKind.GET, new Fault.Hang());
              return killedWhile(scene, CallKind.GET);
            },
            Scene::vendorHas,
            Scenarios::goOnAndFinish),
        Scenario.whileTheVendorIsAsked(
            "A3 create sent, takes effect later",
            scene -> {
              scene.vendor().faults().next(CallKind.CREATE, Fault.slow(HELD_UP));
              return killedWhile(scene, CallKind.CREATE);
            },
            (scene, run) -> !scene.vendorHas(run),
            Scenarios::goOnAndFinish),
        Scenario.whileTheVendorIsAsked(
            "A3 create sent, never takes effect",
            scene -> {
              scene.vendor().faults().next(CallKind.CREATE, new Fault.Hang());
              return killedWhile(scene, CallKind.CREATE);
            },
            (scene, run) -> !scene.vendorHas(run),
            Scenarios::goOnAndFinish),
        Scenario.whileTheVendorIsAsked(
            "R3 destroy sent",
            scene -> {
              var run = scene.ready();
              int before = scene.calls(CallKind.DELETE);
              scene.vendor().faults().next(CallKind.DELETE, Fault.slow(HELD_UP));
              must(scene.clients().finish(scene.dying(), run));
              scene.awaitCall(CallKind.DELETE, before);
              scene.dying().kill();
              return run;
            },
            Scene::vendorHas,
            Scenarios::nothing));
  }

  private static Run killedWhile(Scene scene, CallKind kind) {
    int before = scene.calls(kind);
    var run = scene.run();
    scene.inVain(() -> scene.clients().exec(scene.dying(), run, "echo hi"));
    scene.awaitCall(kind, before);
    scene.dying().kill();
    return run;
  }

  private static List<Scenario> releases() {
    return List.of(
        Scenario.at("R2", RELEASE_CLAIMED, finishing(RELEASE_CLAIMED), Scenarios::nothing),
        Scenario.at("R4", RELEASE_UNRECORDED, finishing(RELEASE_UNRECORDED), Scenarios::nothing),
        Scenario.at(
            "A2, then the run is ended",
            CLAIM_COMMITTED,
            firstCommand(CLAIM_COMMITTED),
            Scenarios::cancel),
        Scenario.at("R1", RUN_END_COMMITTED, finishing(RUN_END_COMMITTED), Scenarios::nothing));
  }

  private static List<Scenario> acquisitions() {
    return List.of(
        acquisition("A2", CLAIM_COMMITTED),
        acquisition("A5", SANDBOX_UNRECORDED),
        acquisition("A1", CLAIM_OPEN),
        acquisition("A6", SANDBOX_RECORDED),
        acquisition("A7", DELIVERY_LOCKED),
        acquisition("A8", DELIVERY_WRITTEN),
        acquisition("A9", WORKSPACE_READY));
  }

  private static Scenario acquisition(String name, FaultPoint point) {
    return Scenario.at(name, point, firstCommand(point), Scenarios::goOnAndFinish);
  }

  private static List<Scenario> executions() {
    return List.of(
        Scenario.at(
            "E1", COMMAND_PREPARED, laterCommand(COMMAND_PREPARED), Scenarios::goOnAndFinish),
        Scenario.at("E2", COMMAND_RUNNING, laterCommand(COMMAND_RUNNING), Scenarios::goOnAndFinish),
        Scenario.at("E3", COMMAND_ENDED, laterCommand(COMMAND_ENDED), Scenarios::goOnAndFinish));
  }

  private static List<Scenario> revocations() {
    return List.of(
        Scenario.at("V1", REVOCATION_OPEN, revoking(REVOCATION_OPEN), Scenarios::revokeAgain),
        Scenario.at("V2", REVOCATION_COMMITTED, revoking(REVOCATION_COMMITTED), Scenarios::refused),
        Scenario.at("V3", REVOCATION_DRAINED, revoking(REVOCATION_DRAINED), Scenarios::refused),
        Scenario.at("orphan", ORPHAN_FOUND, Scenarios::plant, Scenarios::orphanGone));
  }

  private static List<Scenario> sleep() {
    return List.of(
        Scenario.at(
            "continuation",
            CONTINUATION_COMMITTED,
            continuing(CONTINUATION_COMMITTED),
            Scenarios::goOnAndFinish),
        Scenario.at(
            "wake", WAKE_UNRECORDED, continuing(WAKE_UNRECORDED), Scenarios::goOnAndFinish));
  }

  // how it comes to die

  private static Drive firstCommand(FaultPoint point) {
    return scene -> {
      var run = scene.run();
      scene.victim().halting().at(point, 1);
      scene.inVain(() -> scene.clients().exec(scene.dying(), run, COMMAND));
      return run;
    };
  }

  private static Drive laterCommand(FaultPoint point) {
    return scene -> {
      var run = scene.ready();
      scene.victim().halting().at(point, 1);
      scene.inVain(() -> scene.clients().exec(scene.dying(), run, COMMAND));
      return run;
    };
  }

  private static Drive finishing(FaultPoint point) {
    return scene -> {
      var run = scene.ready();
      scene.victim().halting().at(point, 1);
      scene.inVain(() -> scene.clients().finish(scene.dying(), run));
      return run;
    };
  }

  /** While a command of the run is under way at the other server. */
  private static Drive revoking(FaultPoint point) {
    return scene -> {
      var run = scene.ready();
      scene.inVain(() -> scene.clients().exec(scene.survivor(), run, "touch up; sleep 60"));
      Await.until(
          PATIENCE,
          () -> scene.clients().exec(scene.survivor(), run, "test -e up && echo up"),
          reply -> reply.body().path("stdout").asString("").equals("up\n"));
      scene.victim().halting().at(point, 1);
      scene.inVain(() -> scene.clients().permit(scene.dying(), scene.agent(), false));
      return run;
    };
  }

  private static Run plant(Scene scene) throws InterruptedException {
    var run = scene.ready();
    scene.victim().halting().at(ORPHAN_FOUND, 1);
    var prefix = scene.key(run).substring(0, "mesh-0123456789-".length());
    var name = prefix + UUID.randomUUID().toString().replace("-", "").substring(0, 25) + "-1";
    scene.site().recorder().planted(name);
    try (var http = HttpClient.newHttpClient()) {
      http.send(
          HttpRequest.newBuilder(URI.create(scene.vendor().baseUrl() + "/v1/sprites"))
              .header("Authorization", "Bearer " + scene.vendor().token())
              .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"" + name + "\"}"))
              .build(),
          HttpResponse.BodyHandlers.discarding());
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return run;
  }

  /** The next run of a conversation whose last one left a sandbox asleep. */
  private static Drive continuing(FaultPoint point) {
    return scene -> {
      var conversation = UUID.randomUUID();
      var first = scene.clients().start(scene.dying(), scene.agent(), conversation).orElseThrow();
      must(scene.clients().exec(scene.dying(), first, "echo kept > kept"));
      must(scene.clients().finish(scene.dying(), first));
      Await.until(PATIENCE, () -> scene.site().row(first.id()).get("state"), "held"::equals);
      var next = scene.clients().start(scene.dying(), scene.agent(), conversation).orElseThrow();
      scene.victim().halting().at(point, 1);
      scene.inVain(() -> scene.clients().exec(scene.dying(), next, COMMAND));
      return next;
    };
  }

  // what is done about it

  private static void nothing(Scene scene, Run run) {}

  private static void cancel(Scene scene, Run run) {
    must(scene.clients().cancel(scene.survivor(), run.id()));
  }

  /** As soon as the dead server's lease is over, no grant of it is left for the next command. */
  private static void goOnAndFinish(Scene scene, Run run) {
    must(scene.clients().exec(scene.survivor(), run, "echo hi"));
    scene.usable();
    Await.until(
        PATIENCE,
        () ->
            must(
                scene.clients().exec(scene.survivor(), run, "find ~/.mesh-grants -type f | wc -l")),
        reply -> reply.body().path("stdout").asString("").equals("0\n"));
    must(scene.clients().finish(scene.survivor(), run));
  }

  private static void refused(Scene scene, Run run) {
    var reply = scene.clients().exec(scene.survivor(), run, "echo hi");
    if (!reply.code().equals("authorization_changed")) {
      throw new AssertionError("not refused: " + reply);
    }
  }

  /** What was not committed did not happen. */
  private static void revokeAgain(Scene scene, Run run) {
    must(scene.clients().exec(scene.survivor(), run, "echo hi"));
    scene.usable();
    must(scene.clients().permit(scene.survivor(), scene.agent(), false));
    refused(scene, run);
  }

  private static void orphanGone(Scene scene, Run run) {
    must(scene.clients().finish(scene.survivor(), run));
  }
}
