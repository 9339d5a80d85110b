package mesh.activity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

class ActivityExportTest {

  private static final TestDatabase database = TestDatabase.fresh();
  private static final TransactionTemplate transactions = database.transactions();
  private static final JsonMapper json = JsonMapper.builder().build();

  private final Activity activity = new Activity(new ActivityRepository(database.jdbc(), json));
  private final ActivityExport export = new ActivityExport(activity, json);

  private ActorId actor;

  @BeforeEach
  void addActor() {
    actor =
        new Actors(new ActorRepository(database.jdbc()), UUID::randomUUID)
            .addUser("=HYPERLINK(\"http://x\",\"" + UUID.randomUUID() + "\")");
  }

  @Test
  void allPagesAreWalkedNewestFirst() throws IOException {
    transactions.executeWithoutResult(_ -> {
      for (int i = 0; i < 450; i++) {
        activity.record(Entry.of(actor, "thing.done").after(Map.of("number", i)));
      }
    });

    List<Integer> numbers =
        exported(ExportFormat.JSONL)
            .lines()
            .map(line -> json.readTree(line).at("/after/number").asInt())
            .toList();

    assertThat(numbers).hasSize(450).startsWith(449, 448).endsWith(1, 0);
  }

  @Test
  void whatHappensMeanwhileIsNotInIt() throws IOException {
    transactions.executeWithoutResult(_ -> {
      for (int i = 0; i < 201; i++) {
        activity.record(Entry.of(actor, "thing.done"));
      }
    });
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void write(byte[] bytes, int from, int length) {
            transactions.executeWithoutResult(_ -> activity.record(Entry.of(actor, "thing.done")));
            super.write(bytes, from, length);
          }
        };

    export.write(mine(), ExportFormat.JSONL, out);

    assertThat(out.toString(UTF_8).lines()).hasSize(201);
  }

  @Test
  void aNameThatIsAFormulaIsTextInASpreadsheet() throws IOException {
    transactions.executeWithoutResult(
        _ -> activity.record(Entry.of(actor, "thing.done").connection("@here").before("-1")));

    List<String> lines = exported(ExportFormat.CSV).lines().toList();

    assertThat(lines.getFirst())
        .isEqualTo("id,at,actor,actor_id,action,agent,run,connection,before,after");
    assertThat(lines.get(1)).contains(",\"'=HYPERLINK(\"\"http://x\"\"", ",'@here,");
  }

  @Test
  void theFilterHoldsForTheWholeFile() throws IOException {
    transactions.executeWithoutResult(_ -> {
      activity.record(Entry.of(actor, "thing.done"));
      activity.record(Entry.of(actor, "other.done"));
    });
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    export.write(
        new ActivityFilter(null, null, actor.toString(), "other", null, null),
        ExportFormat.JSONL,
        out);

    assertThat(out.toString(UTF_8).lines()).singleElement().asString().contains("other.done");
  }

  private String exported(ExportFormat format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    export.write(mine(), format, out);
    return out.toString(UTF_8);
  }

  private ActivityFilter mine() {
    return new ActivityFilter(null, null, actor.toString(), null, null, null);
  }
}
