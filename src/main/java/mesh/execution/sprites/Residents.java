package mesh.execution.sprites;

import java.util.ArrayList;
import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.remote.Patience;
import okhttp3.HttpUrl;
import tools.jackson.databind.JsonNode;

/**
 * What the vendor itself keeps running in a sprite: sessions, and services that code there made.
 */
final class Residents {

  private final Account account;
  private final Rest rest;
  private final Patience patience;

  Residents(Account account, Rest rest, Patience patience) {
    this.account = account;
    this.rest = rest;
    this.patience = patience;
  }

  /** Deletes all services: a service whose process is killed is started again, also on waking. */
  void endServices(String name) throws InterruptedException {
    var services = account.sprite(name).addPathSegment("services").build();
    for (var service : named(services, "services", "name")) {
      var url = services.newBuilder().addPathSegment(service).build();
      patience.retrying(() -> {
        var answer = rest.delete(url);
        if (!answer.isSuccess() && answer.status() != 404) {
          throw answer.refusal(account);
        }
        return true;
      });
    }
  }

  /** Ends by the vendor's own means whatever it still has running. */
  void endSessions(String name) throws InterruptedException {
    var sessions = account.sprite(name).addPathSegment("exec").build();
    for (var id : named(sessions, "sessions", "id")) {
      kill(name, id);
    }
  }

  /** Kills a session's process by the vendor's own means; what is not there is dead. */
  void kill(String name, String session) throws InterruptedException {
    var url =
        account
            .sprite(name)
            .addPathSegment("exec")
            .addPathSegment(session)
            .addPathSegment("kill")
            .addQueryParameter("signal", "SIGKILL")
            .addQueryParameter("timeout", "0s");
    rest.post(url.build(), "");
  }

  /** None where the vendor has no such list, be it that the sprite is gone. */
  private List<String> named(HttpUrl url, String field, String name) throws InterruptedException {
    return patience.retrying(() -> {
      var answer = rest.get(url);
      if (answer.status() == 404) {
        return List.of();
      }
      if (!answer.isSuccess()) {
        throw answer.refusal(account);
      }
      return names(answer.json(), field, name);
    });
  }

  /** It has sent the list bare and in an object, and null for an empty one. */
  private static List<String> names(JsonNode json, String field, String name) {
    var list = json.isObject() ? json.path(field) : json;
    if (!list.isArray() && !list.isNull()) {
      throw new BackendException.Unexpected(
          "Fly Sprites answered something other than a list of " + field, null);
    }
    var found = new ArrayList<String>();
    for (var item : list) {
      var id = item.path(name).asString("");
      if (!id.isEmpty()) {
        found.add(id);
      }
    }
    return found;
  }
}
