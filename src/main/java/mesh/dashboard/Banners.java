package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.view.Banner;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Spoken;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.settings.AgentRuntimes;
import mesh.settings.EnabledRuntime;
import mesh.webhook.Webhooks;
import org.springframework.stereotype.Component;

/** Finds what needs a person, whatever page is open. */
@Component
class Banners {

  private final AgentRuntimes runtimes;
  private final RuntimeCatalog catalog;
  private final Outliving outliving;
  private final Webhooks webhooks;

  Banners(AgentRuntimes runtimes, RuntimeCatalog catalog, Outliving outliving, Webhooks webhooks) {
    this.runtimes = runtimes;
    this.catalog = catalog;
    this.outliving = outliving;
    this.webhooks = webhooks;
  }

  /** The worst first. */
  List<Banner> current() {
    List<Banner> banners = new ArrayList<>();
    int alive = outliving.count();
    if (alive > 0) {
      banners.add(stillAlive(alive));
    }
    int stopped = webhooks.stopped();
    if (stopped > 0) {
      banners.add(notTold(stopped));
    }
    runtimes.enabled().stream()
        .map(EnabledRuntime::name)
        .flatMap(name -> catalog.find(name).stream())
        .filter(descriptor -> !descriptor.warning().isBlank())
        .map(Banners::warning)
        .forEach(banners::add);
    return banners;
  }

  private static Banner stillAlive(int count) {
    return new Banner(
        Mark.BAD,
        Spoken.count(count, "sandbox is", "sandboxes are")
            + " still alive at the vendor after revocation.",
        "The credential was taken back, but the vendor has not confirmed the end. What runs in"
            + " there may still use the token: revoke it at its provider.",
        "/workspaces#alive",
        count == 1 ? "See which one" : "See which ones");
  }

  private static Banner notTold(int count) {
    return new Banner(
        Mark.ATTENTION,
        Spoken.count(count, "webhook is", "webhooks are") + " not told anything any more.",
        "Nothing could be delivered for days, or the receiver said that it is gone.",
        WebhooksPages.ADDRESS,
        count == 1 ? "See which one" : "See which ones");
  }

  private static Banner warning(BackendDescriptor descriptor) {
    return new Banner(
        Mark.ATTENTION,
        "Runtime \"%s\" is enabled.".formatted(descriptor.title()),
        descriptor.warning());
  }
}
