package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent.
 *
 * @param name empty if it is the slug again
 * @param runtime which one to use; null if there is nothing to choose
 * @param changingRuntime whether that choice is unfolded, as after an error
 * @param said what was just done here; one or none
 * @param errors of the form that was just refused
 * @param runs its newest
 * @param mayChange whether this operator may change anything here
 */
public record AgentPage(
    Shell shell,
    String slug,
    String name,
    List<Fact> facts,
    SettingInput.@Nullable Choice runtime,
    boolean changingRuntime,
    List<Banner> said,
    List<FieldError> errors,
    ModelBlock model,
    List<CredentialBlock> credentials,
    VaultBlock vault,
    List<RunRow> runs,
    boolean mayChange) {

  public AgentPage {
    facts = List.copyOf(facts);
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    credentials = List.copyOf(credentials);
    runs = List.copyOf(runs);
  }
}
