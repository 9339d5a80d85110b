package mesh.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import mesh.secret.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Megabytes, and secrets longer than chunks. */
class LongStreamsTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void longStreamsWithLongSecrets(int form) {
    for (var seed = 0L; seed < 4; seed++) {
      var random = new SplittableRandom(seed);
      var needles = new ArrayList<byte[]>();
      for (var n = 0; n < 6; n++) {
        var needle = new byte[1 << random.nextInt(4, 13)];
        for (var i = 0; i < needle.length; i++) {
          needle[i] = (byte) ('a' + random.nextInt(1 + random.nextInt(26)));
        }
        needles.add(needle);
      }
      var input = new ByteArrayOutputStream();
      while (input.size() < 2 << 20) {
        var needle = needles.get(random.nextInt(needles.size()));
        var from = random.nextInt(4) == 0 ? random.nextInt(needle.length) : 0;
        input.write(needle, from, needle.length - from);
        input.write(needle, 0, random.nextInt(needle.length));
        input.writeBytes("log text\n".repeat(random.nextInt(200)).getBytes(UTF_8));
      }
      var automaton = Sample.automaton(needles, form);
      var sample =
          new Sample(
              seed,
              needles,
              input.toByteArray(),
              automaton,
              SecretSet.of(needles, automaton),
              random);
      var expected = sample.expected();
      for (var chunk : new int[] {100, 5000, 200_000}) {
        var streamed = sample.stream(sample.input(), chunk);
        assertThat(streamed.ended()).as("seed %d, chunk %d", seed, chunk).isEqualTo(expected);
        assertThat(streamed.heldMost()).isLessThanOrEqualTo(sample.secrets().margin() + 1);
      }
    }
  }

  @Test
  void anEndlessRunIsNotHeld() {
    var out = new ByteArrayOutputStream();
    var stream =
        (RedactingStream)
            SecretSet.exactly(List.of(Secret.of("aaaa"))).open(Sample.collecting(out));
    for (var i = 0; i < 1_000_000; i++) {
      stream.write(ByteBuffer.wrap(new byte[] {'a'}));
      assertThat(stream.held()).isLessThanOrEqualTo(4);
    }
    stream.end();

    assertThat(out).hasToString(Redactions.MARKER);
    assertThat(stream.count()).isEqualTo(1);
  }
}
