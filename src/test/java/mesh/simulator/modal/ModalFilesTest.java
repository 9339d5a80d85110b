package mesh.simulator.modal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import modal.router.TaskMountDirectoryRequest;
import modal.router.TaskSnapshotDirectoryRequest;
import modal.router.TaskSnapshotFilesystemRequest;
import modal.router.TaskUnmountDirectoryRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program that file calls run, and snapshots. */
class ModalFilesTest extends SimulatorTest {

  private static final JsonMapper JSON = new JsonMapper();

  private ProtocolClient.Running sandbox;

  ModalFilesTest() throws IOException {}

  @BeforeEach
  void create() {
    sandbox = client.create();
  }

  private String tools(String json) {
    return sandbox.start(sandbox.command(FileTools.PROGRAM, json));
  }

  private void assertTrouble(String json, String kind) {
    var exec = tools(json);
    assertThat(sandbox.exit(exec).getCode()).isEqualTo(1);
    assertThat(JSON.readTree(sandbox.err(exec)).path("error_kind").asString(""))
        .as(json)
        .isEqualTo(kind);
  }

  private JsonNode answer(String json) {
    var exec = tools(json);
    assertThat(sandbox.exit(exec).getCode()).as(json).isZero();
    return JSON.readTree(sandbox.out(exec));
  }

  @Test
  void aFileIsWrittenWithItsParentsAndRead() {
    var write = tools("{\"WriteFile\":{\"path\":\"/data/a/b.txt\"}}");
    sandbox.write(write, 0, "hello", true);
    assertThat(sandbox.exit(write).getCode()).isZero();

    var read = tools("{\"ReadFile\":{\"path\":\"/data/a/b.txt\"}}");

    assertThat(sandbox.out(read)).isEqualTo("hello");
    assertThat(sandbox.run("cat /data/a/b.txt")).isEqualTo("hello");
  }

  @Test
  void linksLeadWhereTheyDoInTheSandbox() {
    sandbox.run("mkdir /target; ln -s /target /workspace/link; echo hi > /target/x");

    assertThat(sandbox.out(tools("{\"ReadFile\":{\"path\":\"/workspace/link/x\"}}")))
        .isEqualTo("hi\n");
    assertThat(answer("{\"Stat\":{\"path\":\"/workspace/link\"}}").path("type").asString(""))
        .isEqualTo("symlink");
  }

  @Test
  void filesAreDescribed() {
    sandbox.run("cd /workspace; printf 12345 > b; mkdir a; chmod 640 b; ln -s b c");

    var list = answer("{\"ListFiles\":{\"path\":\"/workspace\"}}");

    assertThat(list.valueStream().map(it -> it.path("name").asString("")))
        .containsExactly("a", "b", "c");
    assertThat(list.get(1).path("size").asInt()).isEqualTo(5);
    assertThat(list.get(1).path("mode").asInt()).isEqualTo(0640);
    assertThat(list.get(1).path("path").asString("")).isEqualTo("/workspace/b");
    assertThat(list.get(2).path("symlink_target").asString("")).isEqualTo("b");
  }

  @Test
  void whatIsWrongHasAKind() {
    sandbox.run("cd /workspace; touch file; mkdir -p full/dir");

    assertTrouble("{\"ReadFile\":{\"path\":\"/nope\"}}", "NotFound");
    assertTrouble("{\"ReadFile\":{\"path\":\"/workspace\"}}", "IsDirectory");
    assertTrouble("{\"ReadFile\":{\"path\":\"/workspace/file/x\"}}", "NotDirectory");
    assertTrouble("{\"ListFiles\":{\"path\":\"/workspace/file\"}}", "NotDirectory");
    assertTrouble("{\"ListFiles\":{\"path\":\"/nope\"}}", "NotFound");
    assertTrouble("{\"Stat\":{\"path\":\"/nope\"}}", "NotFound");
    assertTrouble("{\"WriteFile\":{\"path\":\"/workspace/file/x\"}}", "AlreadyExists");
    assertTrouble("{\"WriteFile\":{\"path\":\"/workspace\"}}", "IsDirectory");
    assertTrouble(
        "{\"MakeDirectory\":{\"path\":\"/workspace/file\",\"parents\":true}}", "PathAlreadyExists");
    assertTrouble(
        "{\"MakeDirectory\":{\"path\":\"/workspace/file/x\",\"parents\":true}}", "NotDirectory");
    assertTrouble(
        "{\"MakeDirectory\":{\"path\":\"/workspace/x/y\",\"parents\":false}}", "NotFound");
    assertTrouble(
        "{\"Remove\":{\"path\":\"/workspace/full\",\"recursive\":false}}", "DirectoryNotEmpty");
    assertTrouble("{\"Remove\":{\"path\":\"/nope\",\"recursive\":true}}", "NotFound");
    assertTrouble("{\"Watch\":{\"path\":\"/workspace\"}}", "NotSupported");
  }

  @Test
  void directoriesAreMadeAndRemoved() {
    sandbox.exit(tools("{\"MakeDirectory\":{\"path\":\"/data/a/b\",\"parents\":true}}"));
    assertThat(sandbox.run("ls /data/a")).isEqualTo("b\n");

    sandbox.exit(tools("{\"Remove\":{\"path\":\"/data\",\"recursive\":true}}"));
    assertThat(sandbox.run("test -e /data || echo gone")).isEqualTo("gone\n");
  }

  @Test
  void aDirectoryOfOneSandboxIsMountedInAnother() {
    sandbox.run("mkdir /workspace/a; echo hi > /workspace/a/b; chmod 600 /workspace/a/b");
    var image =
        sandbox
            .router()
            .taskSnapshotDirectory(
                TaskSnapshotDirectoryRequest.newBuilder()
                    .setTaskId(sandbox.task())
                    .setPath(ByteString.copyFromUtf8("/workspace/a"))
                    .build())
            .getImageId();
    var other = client.create();
    other.run("mkdir -p /mnt/x; echo under > /mnt/x/b");
    var path = ByteString.copyFromUtf8("/mnt/x");

    var _ =
        other
            .router()
            .taskMountDirectory(
                TaskMountDirectoryRequest.newBuilder()
                    .setTaskId(other.task())
                    .setPath(path)
                    .setImageId(image)
                    .build());
    assertThat(other.run("cat /mnt/x/b; stat -c %a /mnt/x/b")).isEqualTo("hi\n600\n");

    var _ =
        other
            .router()
            .taskUnmountDirectory(
                TaskUnmountDirectoryRequest.newBuilder()
                    .setTaskId(other.task())
                    .setPath(path)
                    .build());
    assertThat(other.run("cat /mnt/x/b")).isEqualTo("under\n");
  }

  @Test
  void aSnapshotIsTakenOncePerId() {
    var request =
        TaskSnapshotFilesystemRequest.newBuilder()
            .setTaskId(sandbox.task())
            .setSnapshotId("0fae")
            .setTtlSeconds(-1)
            .build();
    sandbox.run("echo first > /workspace/x");
    var image = sandbox.router().taskSnapshotFilesystem(request).getImageId();
    sandbox.run("echo second > /workspace/x");

    assertThat(sandbox.router().taskSnapshotFilesystem(request).getImageId()).isEqualTo(image);
    var restored = client.create(client.definition().setImageId(image));
    assertThat(restored.run("cat /workspace/x")).isEqualTo("first\n");
  }
}
