package mesh.workspace;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class ArtifactRepository {

  private final JdbcClient jdbc;

  ArtifactRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(ArtifactId id, RunId run) {
    jdbc.sql("insert into artifacts (id, run_id) values (:id, :run)")
        .param("id", id.value())
        .param("run", run.value())
        .update();
  }

  void insertChunk(ArtifactId id, String channel, long startAt, int length, byte[] content) {
    jdbc.sql(
            """
            insert into artifact_chunks (artifact_id, channel, start_at, length, content)
            values (:id, :channel, :start, :length, :content)
            """)
        .param("id", id.value())
        .param("channel", channel)
        .param("start", startAt)
        .param("length", length)
        .param("content", content)
        .update();
  }

  void complete(ArtifactId id, long stdoutBytes, long stderrBytes) {
    jdbc.sql(
            """
            update artifacts
               set complete = true, stdout_bytes = :stdout, stderr_bytes = :stderr
             where id = :id
            """)
        .param("id", id.value())
        .param("stdout", stdoutBytes)
        .param("stderr", stderrBytes)
        .update();
  }

  Optional<Artifact> find(ArtifactId id) {
    return jdbc.sql(
            """
            select id, run_id, created_at, stdout_bytes, stderr_bytes, complete, removed_at
              from artifacts
             where id = :id
            """)
        .param("id", id.value())
        .query((row, _) ->
            new Artifact(
                new ArtifactId(row.getObject("id", UUID.class)),
                new RunId(row.getObject("run_id", UUID.class)),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                row.getLong("stdout_bytes"),
                row.getLong("stderr_bytes"),
                row.getBoolean("complete"),
                moment(row.getObject("removed_at", OffsetDateTime.class))))
        .optional();
  }

  private static @Nullable Instant moment(@Nullable OffsetDateTime at) {
    return at == null ? null : at.toInstant();
  }

  /** Removes the bytes of a few old artifacts of ended runs, and says of how many. */
  int removeOlderThan(int days, int limit) {
    return jdbc.sql(
            """
            with old as (
              select a.id
                from artifacts a
                join runs r on r.id = a.run_id
               where a.removed_at is null
                 and a.created_at < now() - make_interval(days => :days)
                 and r.ended_at is not null
               order by a.created_at
               limit :limit
                 for update of a skip locked),
            gone as (
              delete from artifact_chunks
               where artifact_id in (select id from old))
            update artifacts
               set removed_at = now()
             where id in (select id from old)
            """)
        .param("days", days)
        .param("limit", limit)
        .update();
  }

  /** The chunk that holds byte {@code offset}, and those after it; a few at a time. */
  List<Chunk> chunks(ArtifactId id, String channel, long offset, int limit) {
    return jdbc.sql(
            """
            select start_at, length, content
              from artifact_chunks
             where artifact_id = :id and channel = :channel and start_at + length > :offset
             order by start_at
             limit :limit
            """)
        .param("id", id.value())
        .param("channel", channel)
        .param("offset", offset)
        .param("limit", limit)
        .query((row, _) ->
            new Chunk(row.getLong("start_at"), row.getInt("length"), row.getBytes("content")))
        .list();
  }

  /** A compressed piece. */
  @SuppressWarnings("ArrayRecordComponent") // read once, never compared
  record Chunk(long startAt, int length, byte[] content) {

    byte[] bytes() {
      return ArtifactWriter.Gzip.unpack(content, length);
    }
  }
}
