package mesh.dashboard;

import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.time.InstantSource;
import mesh.dashboard.view.RunHead;
import mesh.dashboard.view.StepView;
import mesh.run.Run;
import mesh.run.RunOutput;
import mesh.run.Step;
import org.springframework.stereotype.Component;

/** The parts of a run's page that change while it is open. */
@Component
class Fragments {

  private final TemplateEngine templates;
  private final RunViews views;
  private final RunOutput outputs;
  private final InstantSource clock;

  Fragments(TemplateEngine templates, RunViews views, RunOutput outputs, InstantSource clock) {
    this.templates = templates;
    this.views = views;
    this.outputs = outputs;
    this.clock = clock;
  }

  StepView view(Run run, Step step) {
    return StepViews.of(run, step, soFar(run, step), clock.instant());
  }

  private RunOutput.Tail soFar(Run run, Step step) {
    return step.finishedAt() == null
        ? outputs.of(run.id(), step.seq()).orElse(RunOutput.Tail.NOTHING)
        : RunOutput.Tail.NOTHING;
  }

  RunHead view(Run run) {
    return views.head(run, clock.instant());
  }

  String html(StepView step) {
    return render("part/step.jte", step);
  }

  String html(RunHead head) {
    return render("part/head.jte", head);
  }

  private String render(String template, Object view) {
    StringOutput html = new StringOutput();
    templates.render(template, view, html);
    return html.toString().strip();
  }
}
