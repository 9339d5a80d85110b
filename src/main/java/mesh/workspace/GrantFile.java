package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mesh.credential.Provider;
import mesh.credential.VaultNames;
import mesh.secret.Secret;

/**
 * What one command is granted, as a file that a shell sources: tokens under the names their tools
 * look for, git's use of them, vault values, and what keeps git, gh and glab from asking a person.
 *
 * <p>git learns how to use a token from its environment ({@code GIT_CONFIG_COUNT}, git 2.31) and
 * not from a file, so nothing of it outlives the command: a helper for the provider's host alone
 * that reads the variable when git asks. The empty helper before it takes those away that would
 * store what git was told.
 */
final class GrantFile {

  private static final List<String> GUARDS =
      List.of(
          "GIT_TERMINAL_PROMPT=0",
          "GIT_PAGER=cat",
          "GH_PROMPT_DISABLED=1",
          "GH_NO_UPDATE_NOTIFIER=1",
          "GH_PAGER=cat",
          "GLAB_NO_PROMPT=1",
          "NO_PROMPT=1",
          "GLAB_CHECK_UPDATE=false",
          "GLAB_PAGER=cat");

  private final StringBuilder text = new StringBuilder();

  private GrantFile() {}

  /**
   * @param token tells this file from any other; begins and ends it
   * @param vault values by the names of their entries
   */
  static byte[] content(String token, Map<Provider, Secret> tokens, Map<String, Secret> vault) {
    var file = new GrantFile();
    file.text.append("# ").append(token).append('\n');
    GUARDS.forEach(guard -> {
      int equals = guard.indexOf('=');
      file.export(guard.substring(0, equals), guard.substring(equals + 1));
    });
    tokens.forEach((provider, secret) ->
        provider.variables().forEach(variable -> file.export(variable, secret.reveal())));
    file.configureGit(tokens.keySet());
    vault.forEach((name, secret) -> file.export(VaultNames.variable(name), secret.reveal()));
    file.text.append("MESH_GRANT=").append(quoted(token)).append('\n');
    return file.text.toString().getBytes(UTF_8);
  }

  private void configureGit(Iterable<Provider> providers) {
    var settings = new ArrayList<String>();
    for (var provider : providers) {
      settings.add("");
      settings.add(helper(provider));
      for (var value : settings.subList(settings.size() - 2, settings.size())) {
        int index = settings.size() - (value.isEmpty() ? 2 : 1);
        export("GIT_CONFIG_KEY_" + index, "credential.https://" + provider.host() + ".helper");
        export("GIT_CONFIG_VALUE_" + index, value);
      }
    }
    if (!settings.isEmpty()) {
      export("GIT_CONFIG_COUNT", Integer.toString(settings.size()));
    }
  }

  private static String helper(Provider provider) {
    return "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' "
        + provider.gitUser()
        + " \"$"
        + provider.variables().getFirst()
        + "\"; }; f";
  }

  private void export(String variable, String value) {
    text.append("export ").append(variable).append('=').append(quoted(value)).append('\n');
  }

  /** As POSIX has it: between single quotes nothing means anything but a single quote. */
  private static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}
