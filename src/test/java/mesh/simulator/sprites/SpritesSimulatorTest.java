package mesh.simulator.sprites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpritesSimulatorTest extends SimulatorTest {

  SpritesSimulatorTest() throws IOException {}

  @Test
  void aSpriteIsCreatedOnceAndDeletedOnce() throws Exception {
    assertThat(client.get("/v1/sprites/one").body()).contains("\"name\":\"one\"");
    assertThat(client.create("one").statusCode()).isEqualTo(400);
    assertThat(vendor.sprites()).containsOnlyKeys("one");

    assertThat(client.delete("one").statusCode()).isEqualTo(204);

    assertThat(client.delete("one").statusCode()).isEqualTo(404);
    assertThat(client.get("/v1/sprites/one").statusCode()).isEqualTo(404);
    assertThat(vendor.sprites()).isEmpty();
  }

  @Test
  void aSpriteIsAsOldAsTheVendorsClockSays() throws Exception {
    var then = Instant.parse("2026-01-02T03:04:05Z");
    vendor.clock(() -> then);

    client.create("two");

    assertThat(vendor.sprites()).containsEntry("two", then);
    assertThat(client.get("/v1/sprites/two").body()).contains("\"created_at\":\"" + then + "\"");
  }

  @Test
  void theListComesInPages() throws Exception {
    for (var name : List.of("page-a", "page-b", "page-c", "other")) {
      client.create(name);
    }

    var first = client.get("/v1/sprites?prefix=page-&max_results=2").body();
    var token = first.replaceFirst(".*\"next_continuation_token\":\"([^\"]+)\".*", "$1");
    var second =
        client.get(
            "/v1/sprites?prefix=page-&max_results=2&continuation_token="
                + ProtocolClient.encoded(token));

    assertThat(first).contains("page-a", "page-b", "\"has_more\":true").doesNotContain("page-c");
    assertThat(second.body()).contains("page-c", "\"has_more\":false").doesNotContain("page-b");
  }

  @Test
  void callsAreRecordedWithoutTheirValues() throws Exception {
    vendor.forgetCalls();

    client.run("one", "echo secret");

    assertThat(vendor.calls()).hasSize(1);
    assertThat(vendor.calls(CallKind.EXEC).getFirst().queryNames()).containsExactly("cmd");
    assertThat(vendor.calls().toString()).doesNotContain("secret");
  }

  @Test
  void anotherTokenIsRefused() throws Exception {
    vendor.requireToken("another");

    assertThat(client.get("/v1/sprites/one").statusCode()).isEqualTo(401);
  }

  @Test
  void aCommandSeesWhatTheFileCallsWroteAndTheReverse() throws Exception {
    client.write("one", "a b/c+d é.txt", "written");

    assertThat(client.run("one", "cat 'a b/c+d é.txt'; stat -c %a 'a b/c+d é.txt'").out())
        .isEqualTo("written640\n");

    client.run("one", "printf back > /tmp/x; ln -s /tmp/x link; mkdir empty; mkfifo pipe");

    assertThat(client.read("one", "/tmp/x").body()).isEqualTo("back");
    assertThat(client.read("one", "link").body()).isEqualTo("back");
    assertThat(client.list("one", "empty").body()).contains("\"entries\":null", "\"count\":0");
    assertThat(client.list("one", "/home/sprite").body())
        .contains("\"type\":\"symlink\"", "\"type\":\"fifo\"", "\"mode\":\"0755\"");
  }

  @Test
  void fileErrorsSayWhatTheLiveServiceSays() throws Exception {
    client.run("one", "mkdir -m 000 closed; mkdir full; touch full/file");

    var missing = client.read("one", "/tmp/x");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body())
        .isEqualTo("{\"error\":\"open /tmp/x: no such file or directory\",\"path\":\"/tmp/x\"}");
    assertThat(client.read("one", "full").body()).contains("is a directory");
    assertThat(client.write("one", "full/file/x", "").body()).contains("not a directory");
    assertThat(client.write("one", "closed/x", "").statusCode()).isEqualTo(403);
    assertThat(client.write("one", "/etc/x", "").body()).contains("read-only file system");

    vendor.mode(Mode.SDK_FRIENDLY);
    assertThat(client.read("one", "/tmp/x").body()).contains("\"code\":\"ENOENT\"");
  }

  @Test
  void aLargeFileIsStreamedWhole() throws Exception {
    client.run("one", "head -c 5000000 /dev/zero | tr '\\0' x > large");

    assertThat(client.read("one", "large").body()).hasSize(5_000_000);
  }

  @Test
  void filesAreRenamedCopiedAndDeleted() throws Exception {
    client.write("one", "a", "content");
    var files = "/v1/sprites/one/fs/";
    var body = "{\"source\":\"%s\",\"dest\":\"%s\",\"workingDir\":\"/home/sprite\"}";

    client.send("POST", files + "rename", body.formatted("a", "b"));
    client.send("POST", files + "copy", body.formatted("b", "c"));
    client.send(
        "POST",
        files + "chmod",
        "{\"path\":\"c\",\"workingDir\":\"/home/sprite\",\"mode\":\"0600\"}");
    client.send("DELETE", files + "delete?workingDir=/home/sprite&path=b", "");

    assertThat(client.run("one", "ls; stat -c %a c").out()).isEqualTo("c\n600\n");
  }

  @Test
  void aSpriteSeesNothingOfAnother() throws Exception {
    client.create("two");
    client.run("one", "echo mine > file; echo mine > /tmp/file; echo mine > /var/tmp/file");
    client.run("one", "setsid sleep 3600 > /dev/null 2>&1 &");

    var seen = client.run("two", "ls /home/sprite /tmp /var/tmp; ls -d /tmp/mesh-* /proc/[0-9]*");

    assertThat(seen.out()).doesNotContain("file", "mesh-");
    assertThat(seen.out().lines().filter(line -> line.startsWith("/proc/")).count())
        .as("at most the namespace's first process, the shell and ls")
        .isLessThanOrEqualTo(3);
  }

  @Test
  void everyProcessEndsWithItsSprite() throws Exception {
    client.run("one", "setsid sleep 3601 > /dev/null 2>&1 & exit 0");
    client.start("one", "sleep 3602", "").session();
    await(() -> sleeping("3601", "3602") == 2);

    client.delete("one");

    assertThat(sleeping("3601", "3602")).isZero();
    assertThat(vendor.runningCommands()).isZero();
  }

  private static long sleeping(String... seconds) {
    return ProcessHandle.allProcesses()
        .map(it -> it.info().arguments().map(List::of).orElse(List.of()))
        .filter(it -> it.size() == 1 && List.of(seconds).contains(it.getFirst()))
        .count();
  }

  @Test
  void aCheckpointBringsFilesBack() throws Exception {
    client.write("one", "kept", "first");
    var taken = client.send("POST", "/v1/sprites/one/checkpoint", "{\"comment\":\"c\"}").body();
    client.run("one", "rm kept; touch new");

    client.send("POST", "/v1/sprites/one/checkpoints/v1/restore", "");

    assertThat(taken.lines().toList().getLast()).contains("\"complete\"", "v1");
    assertThat(client.get("/v1/sprites/one/checkpoints").body()).contains("\"id\":\"v1\"");
    assertThat(client.run("one", "ls").out()).isEqualTo("kept\n");
  }

  @Test
  void aPolicyReplacesTheOneBefore() throws Exception {
    var path = "/v1/sprites/one/policy/network";
    assertThat(client.get(path).body()).isEqualTo("{\"rules\":[]}");
    var policy = "{\"rules\":[{\"domain\":\"*\",\"action\":\"deny\"},{\"include\":\"defaults\"}]}";

    assertThat(client.send("POST", path, policy).statusCode()).isEqualTo(204);

    assertThat(client.get(path).body()).isEqualTo(policy);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"rules\":[],\"other\":1}",
        "{\"rules\":[{\"domain\":\"a\"}]}",
        "{\"rules\":[{\"domain\":\"a\",\"action\":\"drop\"}]}",
        "{\"rules\":[{\"domain\":\"a\",\"action\":\"deny\",\"include\":\"defaults\"}]}",
        "{\"rules\":[{\"include\":\"all\"}]}"
      })
  void aPolicyTheVendorWouldRefuseIsRefused(String policy) throws Exception {
    var answer = client.send("POST", "/v1/sprites/one/policy/network", policy);

    assertThat(answer.statusCode()).isEqualTo(400);
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    client.run("one", "mkdir -p a/b; chmod 000 a; setsid sleep 3603 > /dev/null 2>&1 &");

    vendor.close();

    assertThat(sleeping("3603")).isZero();
    assertThat(vendor.folder()).doesNotExist();
  }

  @Test
  void aPipeNobodyReadsHoldsUpOnlyItsOwnCall() throws Exception {
    client.run("one", "mkfifo pipe");
    var stuck = Thread.startVirtualThread(() -> writeAndForget("pipe"));

    assertThat(client.read("one", "/etc/hostname").statusCode()).isEqualTo(200);
    assertThat(client.run("one", "cat pipe").out()).isEqualTo("through");
    assertThat(stuck.join(Duration.ofSeconds(10))).isTrue();
  }

  private void writeAndForget(String path) {
    try {
      client.write("one", path, "through");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
