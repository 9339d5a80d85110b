package mesh.execution.sprites;

import java.time.Duration;
import java.util.HashSet;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.remote.Patience;
import tools.jackson.databind.JsonNode;

/** The life of sprites: made, found, listed and deleted, each as often as it takes. */
final class SpritesApi {

  private static final int PAGE = 100;

  private final Account account;
  private final Rest rest;
  private final Patience patience;

  SpritesApi(Account account, Rest rest, Patience patience) {
    this.account = account;
    this.rest = rest;
    this.patience = patience;
  }

  /** Makes the sprite unless it exists. Whatever happens to an answer, there is one at most. */
  void create(String name) throws InterruptedException {
    patience.retrying(() -> {
      try {
        return createOnce(name);
      } catch (BackendException.Unavailable trouble) {
        // The request may have been served and its answer lost.
        if (trouble.retryAfter().isZero() && isThere(name)) {
          return true;
        }
        throw trouble;
      }
    });
  }

  private boolean createOnce(String name) throws InterruptedException {
    var answer = rest.post(account.sprites().build(), "{\"name\":\"" + name + "\"}");
    if (answer.isSuccess()) {
      return true;
    }
    // Both are said of a name that is taken: ours, from an attempt before.
    if ((answer.status() == 400 || answer.status() == 409) && isThere(name)) {
      return true;
    }
    throw answer.refusal(account);
  }

  private boolean isThere(String name) throws InterruptedException {
    var answer = rest.get(account.sprite(name).build());
    if (answer.isSuccess() || answer.status() == 404) {
      return answer.isSuccess();
    }
    throw answer.refusal(account);
  }

  /**
   * Whether the sprite exists. Asked twice before the answer is no: the vendor has answered 404 for
   * living sprites in an incident.
   */
  boolean exists(String name) throws InterruptedException {
    if (patience.retrying(() -> isThere(name))) {
      return true;
    }
    patience.beforeSecondLook();
    return patience.retrying(() -> isThere(name));
  }

  static BackendException.SandboxGone gone(String name) {
    return new BackendException.SandboxGone("Fly Sprites has no sprite " + name + " any more");
  }

  /** Deletes the sprite and sees that it is gone; one that is gone already is fine. */
  void delete(String name) throws InterruptedException {
    patience.retrying(() -> {
      var answer = rest.delete(account.sprite(name).build());
      if (answer.status() == 409) {
        // It is just starting or falling asleep.
        throw new BackendException.Unavailable(
            "Fly Sprites answered 409 to the deletion of " + name, Duration.ZERO, null);
      }
      if (!answer.isSuccess() && answer.status() != 404) {
        throw answer.refusal(account);
      }
      if (exists(name)) {
        throw new BackendException.Unavailable(
            "Fly Sprites still has the sprite " + name + " after its deletion",
            Duration.ZERO,
            null);
      }
      return true;
    });
  }

  /**
   * All sprites of the account, told apart by their names. The vendor could be asked for those with
   * our prefix alone, but then nobody would see what else the account holds.
   */
  Inventory list(InstallationId installation) throws InterruptedException {
    var count = new Count(installation);
    var seen = new HashSet<String>();
    var from = "";
    do {
      var page = page(from);
      page.path("sprites").forEach(count::add);
      from = page.path("has_more").asBoolean(false) ? next(page) : "";
      if (!from.isEmpty() && !seen.add(from)) {
        throw new BackendException.Unexpected(
            "Fly Sprites sent a page of its list a second time", null);
      }
    } while (!from.isEmpty());
    return count.inventory();
  }

  private JsonNode page(String from) throws InterruptedException {
    var url = account.sprites().addQueryParameter("max_results", Integer.toString(PAGE));
    if (!from.isEmpty()) {
      url.addQueryParameter("continuation_token", from);
    }
    return patience.retrying(() -> {
      var answer = rest.get(url.build());
      if (!answer.isSuccess()) {
        throw answer.refusal(account);
      }
      var page = answer.json();
      if (!page.has("sprites")) {
        throw new BackendException.Unexpected(
            "Fly Sprites answered something other than a list", null);
      }
      return page;
    });
  }

  private static String next(JsonNode page) {
    var token = page.path("next_continuation_token").asString("");
    if (token.isEmpty()) {
      // Half an inventory would be taken for the whole.
      throw new BackendException.Unexpected(
          "Fly Sprites says its list goes on, but not where", null);
    }
    return token;
  }
}
