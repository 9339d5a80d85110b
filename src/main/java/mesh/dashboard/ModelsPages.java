package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.ModelsPage;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.settings.ModelConnections;
import mesh.settings.ModelSetting;
import mesh.settings.ModelTests;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts the page of the connections to models together. */
@Component
class ModelsPages {

  static final String ADDRESS = "/settings/models";

  private final Frames frames;
  private final ModelConnections connections;
  private final ModelTests tests;
  private final InstantSource clock;

  ModelsPages(Frames frames, ModelConnections connections, ModelTests tests, InstantSource clock) {
    this.frames = frames;
    this.connections = connections;
    this.tests = tests;
    this.clock = clock;
  }

  ModelsPage page(HttpServletRequest request, Operator operator, RefusedForm refused) {
    var now = clock.instant();
    var last = tests.last();
    return new ModelsPage(
        // Also after a refused form, whose own address only takes posts.
        frames.shell(request, operator, "models").at(ADDRESS),
        Said.to(request),
        refused.errors(),
        connections.all().stream().map(it -> card(it, last, refused, now)).toList(),
        ModelFields.form(null, null, refused),
        operator.role().covers(Role.ADMIN));
  }

  private static ModelsPage.Card card(
      ModelSetting it, Map<String, ModelTests.Last> last, RefusedForm refused, Instant now) {
    var key = it.key();
    var setAt = key == null ? null : When.of(key.at(), now);
    var users = it.agents();
    return new ModelsPage.Card(
        it.name(),
        ModelFields.words(it.wire()),
        key == null ? new Badge(Mark.QUIET, "No key") : new Badge(Mark.GOOD, "Key set"),
        facts(it, now),
        test(last.get(it.name()), now),
        ask(it, refused),
        ModelFields.form(it, setAt, refused),
        key == null
            ? ""
            : "Clear the key of %s? Nobody can read it back. Models there cannot be asked until another is entered, unless the service wants none."
                .formatted(it.name()),
        users.isEmpty()
            ? "Delete the connection %s%s? No agent uses it."
                .formatted(it.name(), key == null ? "" : " and its key")
            : "",
        users.isEmpty()
            ? ""
            : "It cannot be deleted while %s at it: %s."
                .formatted(
                    users.size() == 1
                        ? "the model of 1 agent is asked"
                        : "the models of %,d agents are asked".formatted(users.size()),
                    RuntimeCards.names(users)));
  }

  private static List<Fact> facts(ModelSetting it, Instant now) {
    var key = it.key();
    return List.of(
        new Fact("Address", VisibleText.line(it.baseUrl()), "", true),
        Fact.of(
            "Key",
            key == null
                ? "not set"
                : "set %s by %s"
                    .formatted(When.of(key.at(), now).spoken(), VisibleText.line(key.by()))),
        Fact.of("Private addresses", it.allowPrivate() ? "allowed" : "refused"),
        Fact.of("Prices", Spoken.count(it.prices().size(), "model", "models")),
        new Fact(
            "Agents",
            "%,d".formatted(it.agents().size()),
            it.agents().isEmpty() ? "" : RuntimeCards.names(it.agents()),
            false));
  }

  private static Field ask(ModelSetting it, RefusedForm refused) {
    var id = ModelFields.id(ModelFields.form(it.name()), "model");
    return new Field(
        id,
        "model",
        "Model",
        "The name that the service knows it by. It is asked for one word, which costs a little.",
        refused.typed(id, it.prices().isEmpty() ? "" : it.prices().getFirst().model()),
        refused.error(id));
  }

  private static ModelsPage.@Nullable Test test(ModelTests.@Nullable Last last, Instant now) {
    if (last == null) {
      return null;
    }
    var result = last.result();
    var took = Spoken.duration(Duration.ofMillis(result.ms()));
    var error = result.error();
    return new ModelsPage.Test(
        result.ok() ? new Badge(Mark.GOOD, "Passed") : new Badge(Mark.BAD, "Failed"),
        When.of(last.at(), now),
        VisibleText.line(last.by()),
        VisibleText.line(
            error == null
                ? "%s replied in %s: %,d tokens read, %,d written."
                    .formatted(
                        result.model(), took, result.usage().input(), result.usage().output())
                : "%s did not reply: %s".formatted(result.model(), error)),
        error != null);
  }
}
