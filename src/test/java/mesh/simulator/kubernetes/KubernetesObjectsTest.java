package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What may be done with any object. */
class KubernetesObjectsTest extends ConfigMapTest {

  private static final CallKind LIST = new CallKind("list", "configmaps");

  KubernetesObjectsTest() throws IOException {}

  @Test
  void anObjectIsCreatedChangedAndDeleted() {
    var created = create("one", "red");
    var changed =
        kubernetes
            .resource(created)
            .edit(it -> new ConfigMapBuilder(it).addToData("more", "of it").build());
    kubernetes.resource(changed).delete();

    assertThat(created.getMetadata().getUid()).isNotBlank();
    assertThat(Long.parseLong(changed.getMetadata().getResourceVersion()))
        .isGreaterThan(Long.parseLong(created.getMetadata().getResourceVersion()));
    assertThat(changed.getData()).containsEntry("key", "value").containsEntry("more", "of it");
    assertThat(kubernetes.resource(map("one", "red")).get()).isNull();
  }

  @Test
  void whatIsThereCannotBeCreatedAgain() {
    create("one", "red");

    assertStatus(409, "configmaps \"one\" already exists", () -> create("one", "red"));
  }

  @Test
  void whatWasChangedMeanwhileIsNotReplaced() {
    var old = create("one", "red");
    kubernetes.resource(map("one", "blue")).update();

    assertStatus(
        409,
        "the object has been modified",
        () ->
            kubernetes
                .resource(old)
                .lockResourceVersion(old.getMetadata().getResourceVersion())
                .update());
  }

  @Test
  void onlyTheObjectThatIsMeantIsDeleted() {
    var first = create("one", "red");
    kubernetes.resource(first).delete();
    var second = create("one", "red");

    var answer =
        Plain.send(
            cluster,
            "DELETE",
            "/api/v1/namespaces/default/configmaps/one",
            "{\"preconditions\":{\"uid\":\"" + first.getMetadata().getUid() + "\"}}");

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body())
        .contains(
            "Precondition failed: UID in precondition: " + first.getMetadata().getUid(),
            "UID in object meta: " + second.getMetadata().getUid());
    assertThat(kubernetes.resource(second).get()).isNotNull();
  }

  @Test
  void listsAreSelectedByLabels() {
    create("one", "red");
    create("two", "blue");
    create("three", "green");

    assertThat(names("color=red")).containsExactly("one");
    assertThat(names("color!=red")).containsExactly("three", "two");
    assertThat(names("color in (red, blue)")).containsExactly("one", "two");
    assertThat(names("color,color notin (red)")).containsExactly("three", "two");
    assertThat(names("!color")).isEmpty();
  }

  @Test
  void aLongListComesInPieces() {
    create("one", "red");
    create("two", "red");
    create("three", "red");
    var options = new ListOptionsBuilder().withLimit(2L).build();
    var maps = kubernetes.configMaps().inNamespace("default");

    var first = maps.list(options);
    options.setContinue(first.getMetadata().getContinue());
    var second = maps.list(options);

    assertThat(first.getItems()).hasSize(2);
    assertThat(second.getItems()).hasSize(1);
    assertThat(second.getMetadata().getContinue()).isNull();
  }

  @Test
  void patchesOfEveryKindAreApplied() {
    create("one", "red");
    var one = kubernetes.configMaps().inNamespace("default").withName("one");

    one.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"key\":null,\"a\":\"1\"}}");
    one.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"b\":\"2\"}}");
    one.patch(
        PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/data/c\",\"value\":\"3\"}]");

    assertThat(one.get().getData()).isEqualTo(Map.of("a", "1", "b", "2", "c", "3"));
  }

  @Test
  void applyingCreatesWhatIsNotThere() {
    var applied = kubernetes.resource(map("one", "red")).serverSideApply();
    var again = kubernetes.resource(map("one", "blue")).serverSideApply();

    assertThat(applied.getMetadata().getUid()).isEqualTo(again.getMetadata().getUid());
    assertThat(again.getMetadata().getLabels()).containsEntry("color", "blue");
  }

  @Test
  void aDryRunLeavesNothing() {
    var dry = kubernetes.resource(map("one", "red")).dryRun().create();

    assertThat(dry.getMetadata().getUid()).isNotBlank();
    assertThat(names("")).isEmpty();
  }

  @Test
  void aListMayLagBehind() {
    create("one", "red");
    cluster.faults().next(LIST, new Fault.StaleList(Duration.ofMinutes(1)));

    assertThat(names("")).isEmpty();
    assertThat(names("")).containsExactly("one");
  }

  @Test
  void whatBelongsToSomethingGoesWithIt() {
    var owner = create("owner", "red");
    var owned =
        new ConfigMapBuilder(map("owned", "red"))
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withName("owner")
            .withUid(owner.getMetadata().getUid())
            .endOwnerReference()
            .endMetadata()
            .build();
    kubernetes.resource(owned).create();

    kubernetes.resource(owner).delete();

    await(() -> names("").isEmpty());
    // Who names an owner that is gone already is noticed as well.
    kubernetes.resource(owned).create();
    await(() -> names("").isEmpty());
  }

  @Test
  void aNamespaceIsEmptiedBeforeItGoes() {
    kubernetes
        .resource(
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":" + "{\"name\":\"other\"}}")
        .create();
    kubernetes
        .resource(
            new ConfigMapBuilder(map("one", "red"))
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build())
        .create();

    kubernetes.namespaces().withName("other").delete();

    await(() -> kubernetes.namespaces().withName("other").get() == null);
    assertThat(kubernetes.configMaps().inNamespace("other").list().getItems()).isEmpty();
    assertStatus(
        404,
        "namespaces \"other\" not found",
        () ->
            kubernetes
                .resource(
                    new ConfigMapBuilder(map("one", "red"))
                        .editMetadata()
                        .withNamespace("other")
                        .endMetadata()
                        .build())
                .create());
  }

  @Test
  void whatIsRefusedIsKnownBeforehand() {
    cluster.refuse(new CallKind("create", "pods/exec"));
    cluster.refuse(new CallKind("create", "configmaps"));

    assertThat(isAllowed("create", "pods", "exec")).isFalse();
    assertThat(isAllowed("create", "pods", "")).isTrue();
    assertStatus(
        403,
        "cannot create resource \"configmaps\" in API group \"\" in the namespace \"default\"",
        () -> create("one", "red"));
  }

  private boolean isAllowed(String verb, String resource, String subresource) {
    var review =
        new SelfSubjectAccessReviewBuilder()
            .withNewSpec()
            .withNewResourceAttributes()
            .withVerb(verb)
            .withResource(resource)
            .withSubresource(subresource)
            .endResourceAttributes()
            .endSpec()
            .build();
    return kubernetes
        .authorization()
        .v1()
        .selfSubjectAccessReview()
        .create(review)
        .getStatus()
        .getAllowed();
  }

  @Test
  void whoHasNoTokenIsNobody() {
    cluster.token("another");

    assertStatus(401, "Unauthorized", () -> names(""));
  }
}
