package mesh.run;

import java.util.UUID;
import mesh.access.Operator;
import mesh.activity.ActorId;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What people say to runs. */
@RestController
class MessageController {

  private final RunTalk talk;

  MessageController(RunTalk talk) {
    this.talk = talk;
  }

  @PostMapping("/api/runs/{id}/messages")
  @ResponseStatus(HttpStatus.ACCEPTED)
  Answer say(
      @PathVariable UUID id,
      @RequestBody Message body,
      @AuthenticationPrincipal Operator operator) {
    if (body.text() == null) {
      throw Problem.badRequest("text_required", "text is missing: say something to the run.");
    }
    ActorId by = operator.actor();
    boolean supersedes = Boolean.TRUE.equals(body.supersede());
    Run run =
        supersedes
            ? talk.supersede(new RunId(id), body.text(), by)
            : talk.say(new RunId(id), body.text(), by);
    return new Answer(run.id().value(), run.status().word());
  }

  /**
   * @param supersede whether the run ends and a new one, which continues it, takes this up instead
   */
  record Message(@Nullable String text, @Nullable Boolean supersede) {}

  /** The run that reads it. */
  record Answer(UUID run, String status) {}
}
