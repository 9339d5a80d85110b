package mesh.simulator.modal;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import modal.client.ObjectCreationType;
import modal.client.SecretGetOrCreateRequest;
import modal.client.SecretSource;

/** Environment variables that are kept under an id, and perhaps a name. */
final class Secrets {

  private final Map<String, Map<String, String>> byId = new ConcurrentHashMap<>();
  private final Map<String, String> idByName = new ConcurrentHashMap<>();

  String getOrCreate(SecretGetOrCreateRequest request) {
    var type = request.getObjectCreationType();
    if (type == ObjectCreationType.OBJECT_CREATION_TYPE_EPHEMERAL) {
      return create(request.getEnvDictMap());
    }
    Names.check("Secret", request.getDeploymentName());
    var known = idByName.get(request.getDeploymentName());
    if (type == ObjectCreationType.OBJECT_CREATION_TYPE_UNSPECIFIED) {
      if (known == null) {
        throw Refusal.notFound("Secret '" + request.getDeploymentName() + "'");
      }
      if (!variables(known).keySet().containsAll(request.getRequiredKeysList())) {
        throw Refusal.precondition("Secret is missing key(s)");
      }
      return known;
    }
    if (known != null && type == ObjectCreationType.OBJECT_CREATION_TYPE_CREATE_IF_MISSING) {
      return known;
    }
    var id = create(request.getEnvDictMap());
    idByName.put(request.getDeploymentName(), id);
    return id;
  }

  private String create(Map<String, String> variables) {
    var id = Ids.next("st");
    byId.put(id, Map.copyOf(variables));
    return id;
  }

  private Map<String, String> variables(String id) {
    var variables = byId.get(id);
    if (variables == null) {
      throw Refusal.notFound("Secret " + id);
    }
    return variables;
  }

  /** The variables of all of them; the later ones win. */
  Map<String, String> environment(
      Collection<String> ids, Map<String, String> plain, List<SecretSource> sources) {
    var environment = new LinkedHashMap<String, String>();
    ids.forEach(id -> environment.putAll(variables(id)));
    environment.putAll(plain);
    for (var source : sources) {
      environment.putAll(
          source.hasSecretId()
              ? variables(source.getSecretId())
              : source.getEnv().getContentsMap());
    }
    return environment;
  }
}
