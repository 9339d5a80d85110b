package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NotificationsTest {

  @Test
  void whoHasStartedMissesNothing() throws InterruptedException {
    try (var database = TestDatabase.fresh()) {
      var sender = new Notifications(database.dataSource(), database.jdbc());
      // More than once, as a race can be won.
      for (int i = 0; i < 20; i++) {
        var heard = new LinkedBlockingQueue<String>();
        var listener = new Notifications(database.dataSource(), database.jdbc());
        listener.listen("mesh_test", heard::add);
        listener.listen("mesh_other", heard::add);
        listener.start();
        try {
          sender.send("mesh_other", List.of("word " + i));

          assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("word " + i);
        } finally {
          listener.stop();
        }
      }
    }
  }

  @Test
  void whoStumblesMakesNobodyDeaf() throws InterruptedException {
    try (var database = TestDatabase.fresh()) {
      var heard = new LinkedBlockingQueue<String>();
      var notifications = new Notifications(database.dataSource(), database.jdbc());
      notifications.listen(
          "mesh_test",
          text -> {
            throw new IllegalArgumentException("cannot read " + text);
          });
      notifications.listen("mesh_test", heard::add);
      notifications.start();
      try {
        notifications.send("mesh_test", List.of("one"));
        notifications.send("mesh_test", List.of("two"));

        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("one");
        assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("two");
      } finally {
        notifications.stop();
      }
    }
  }

  @Test
  void aChannelThatComesTooLateIsRefusedRatherThanHeardLater() {
    try (var database = TestDatabase.fresh()) {
      var notifications = new Notifications(database.dataSource(), database.jdbc());
      notifications.start();
      try {
        assertThatThrownBy(() -> notifications.listen("mesh_test", _ -> {}))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("too late to listen on mesh_test");
      } finally {
        notifications.stop();
      }
    }
  }
}
