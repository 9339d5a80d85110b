package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import mesh.TestMesh;
import mesh.dashboard.Person.Answer;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Settings, Workspace network access, without any script. */
@ExtendWith(OutputCaptureExtension.class)
class NetworkAccessPagesTest {

  private static final String PAGE = "/settings/network-access";

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static TestMesh mesh;
  private static Person ada;
  private static Person vera;

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.on(DATABASE);
    ada = Person.admin(mesh, console);
    vera = Person.with(mesh, "vera", "viewer");
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @BeforeEach
  void nothingIsSet() {
    DATABASE.jdbc().sql("delete from settings where name = 'workspace_egress'").update();
  }

  private static Map<String, String> form(String mode, String domains, String uncontrolled) {
    return Map.of("mode", mode, "domains", domains, "uncontrolled", uncontrolled);
  }

  @Test
  void itShowsWhatHoldsAndWhatWouldHappen() {
    assertThat(ada.page(PAGE))
        .contains("value=\"open\" checked", "value=\"refuse\" checked")
        .contains("*.debian.org", "github.com", "The effective list")
        .contains("Made, open")
        .doesNotContain("Made, restricted");
  }

  /** Case 113. */
  @Test
  void itDoesNotPromiseMoreThanAListOfDestinations() {
    assertThat(ada.page(PAGE))
        .contains("bounds destinations only", "no barrier against exfiltration")
        .contains("names are still looked up");
  }

  @Test
  void aListIsSavedForNewWorkspacesAndThatIsSaid() {
    assertThat(ada.done(PAGE, form("allowlist", "Example.COM.\r\n\r\n*.b.test\r\n", "refuse")))
        .contains("New workspaces may connect to", "hosts and nothing else")
        .contains(">*.b.test\nexample.com</textarea>")
        .contains("Refused");
    assertThat(ada.done(PAGE, form("allowlist", "", "allow"))).contains("Made, open");
    assertThat(ada.done(PAGE, form("open", "", "refuse")))
        .contains("New workspaces may connect to any host.");
  }

  /** Case 80: each bad line is named by its number, and nothing that was typed is lost. */
  @Test
  void everyBadLineIsNamedAndNothingTypedIsLost() {
    Answer refused =
        ada.post(PAGE, form("allowlist", "good.test\n\nbad.test:443\n<b>.test", "allow"));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("2 lines are no host names", "href=\"#domains\"")
        .contains("Line 3: 'bad.test:443' has a port")
        .contains("Line 4: '&lt;b&gt;.test'")
        .contains("good.test\n\nbad.test:443\n&lt;b&gt;.test")
        .contains("value=\"allowlist\" checked", "value=\"allow\" checked");
    assertThat(ada.page(PAGE)).contains("value=\"open\" checked");
  }

  @Test
  void withoutAModeNothingIsSaved() {
    assertThat(ada.post(PAGE, Map.of("domains", "a.test")).text())
        .contains("mode must be open or allowlist");
  }

  @Test
  void aPolicyThatCannotBeReadIsToldAndCanBeMended() {
    DATABASE
        .jdbc()
        .sql("insert into settings (name, value) values ('workspace_egress', '17')")
        .update();

    assertThat(ada.page(PAGE))
        .contains("No workspace is made now", "must save it anew", "Refused: no policy")
        .contains("value=\"allowlist\" checked", "value=\"refuse\" checked");
    assertThat(ada.done(PAGE, form("allowlist", "", "refuse")))
        .doesNotContain("No workspace is made now");
  }

  @Test
  void viewersSeeItAndCannotChangeIt() {
    assertThat(vera.page(PAGE))
        .contains("Whoever has the role admin", "disabled")
        .doesNotContain("Save for new workspaces");
    assertThat(vera.post(PAGE, form("open", "", "refuse")).status()).isEqualTo(403);
  }
}
