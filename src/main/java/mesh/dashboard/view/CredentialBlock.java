package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent has at a provider, and the forms that change it.
 *
 * @param key of the provider in addresses
 * @param setAt null if nothing is set
 * @param trouble why it cannot be used although it is set; empty if all is well
 * @param revisions revision and who decided, in words
 * @param effect what a change destroys now
 * @param revocationPage where a person ends the token at the provider
 * @param open whether the form is unfolded, as after an error
 */
public record CredentialBlock(
    String key,
    String title,
    Badge state,
    @Nullable When setAt,
    String setBy,
    String trouble,
    List<Fact> identity,
    String revisions,
    boolean permitted,
    String effect,
    String revocationPage,
    boolean open,
    Field token,
    Field login,
    Field name,
    Field email) {

  public CredentialBlock {
    identity = List.copyOf(identity);
  }
}
