package mesh.redaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds for all secrets, inputs and chunks, tried on millions of small cases beside an {@link
 * Oracle}. A message names the seed that makes the case again: {@code check(seed, alphabet, ...)}.
 */
class RedactionPropertiesTest {

  private static final String LETTERS = "abc";

  /** Collides with all markers. */
  private static final String MARKERS = "a[*]RED\u00e2\u00a2\u0080";

  @Test
  void p1ItIsWhatTheOracleSays() {
    forAll(1_100_000, LETTERS, RedactionPropertiesTest::equalsOracle);
    forAll(200_000, MARKERS, RedactionPropertiesTest::equalsOracle);
  }

  private static void equalsOracle(Sample sample) {
    var expected = sample.expected();
    var streamed = sample.stream(sample.input(), 6);
    same("stream", streamed.ended(), expected);
    that("P5: held " + streamed.heldMost(), streamed.heldMost() <= longest(sample.needles()));
  }

  @Test
  void p2ChunksDoNotMatter() {
    forAll(
        60_000,
        LETTERS,
        sample -> {
          var expected = sample.expected();
          same("one byte a time", sample.stream(sample.input(), 1).ended(), expected);
          var input = sample.input();
          for (var at = 0; at <= input.length; at++) {
            var out = new ByteArrayOutputStream();
            var stream = sample.secrets().open(Sample.collecting(out));
            stream.write(ByteBuffer.wrap(input, 0, at));
            stream.write(ByteBuffer.wrap(input, at, input.length - at).slice());
            stream.end();
            same("split at " + at, out.toByteArray(), expected);
          }
        });
  }

  @Test
  void p3And4And9TheOutputHoldsNoSecretAndIsLeftAloneIfRedactedAgain() {
    for (var alphabet : new String[] {LETTERS, MARKERS}) {
      forAll(
          150_000,
          alphabet,
          sample -> {
            var output = sample.stream(sample.input(), 9).ended();
            if (sample.markerHolds()) {
              that("P3: a secret is shown", !Oracle.occurs(output, sample.needles()));
              same("P9: again", sample.stream(output, 9).ended(), output);
            }
            if (!Oracle.occurs(sample.input(), sample.needles())) {
              same("P4: without secrets", output, sample.input());
            }
          });
    }
  }

  @Test
  void p6ACutStreamDoesNotEndWithAPieceOfASecret() {
    forAll(
        300_000,
        LETTERS,
        sample -> {
          var output = sample.stream(sample.input(), 9).cut();
          same("cut", output, Oracle.cut(sample.input(), sample.needles(), sample.marker()));
          that("a piece", Oracle.longestPrefixAtEnd(output, sample.needles()) < 8);
        });
  }

  @Test
  void p7TextStaysText() throws CharacterCodingException {
    var parts = new String[] {"a", "é", "è", "€", "•", "😀", "\n"};
    for (var seed = 0L; seed < 50_000; seed++) {
      var random = new SplittableRandom(seed);
      var needles = new ArrayList<byte[]>();
      for (var n = 1 + random.nextInt(3); n > 0; n--) {
        needles.add(text(random, parts, 1 + random.nextInt(4)).getBytes(UTF_8));
      }
      var input = text(random, parts, random.nextInt(30));
      var secrets = SecretSet.of(needles, Sample.automaton(needles, (int) (seed % 3)));
      var expected =
          Oracle.redact(input.getBytes(UTF_8), needles, secrets.marker().getBytes(UTF_8));
      var strict = UTF_8.newDecoder().decode(ByteBuffer.wrap(expected)).toString();
      assertThat(secrets.apply(input)).as("seed %d, input %s", seed, input).isEqualTo(strict);
    }
  }

  private static String text(SplittableRandom random, String[] parts, int length) {
    var text = new StringBuilder();
    for (var i = 0; i < length; i++) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  @Test
  void p8WindowsTogetherShowNoSecret() {
    forAll(
        100_000,
        LETTERS,
        sample -> {
          var joined = new ByteArrayOutputStream();
          var input = sample.input();
          for (var from = 0; from < input.length; ) {
            var to = Math.min(input.length, from + 1 + sample.random().nextInt(9));
            var output = window(sample, from, to);
            same(
                from + " to " + to,
                output,
                Oracle.window(input, sample.needles(), sample.marker(), from, to));
            joined.writeBytes(output);
            from = to;
          }
          that("joined", !Oracle.occurs(joined.toByteArray(), sample.needles()));
        });
  }

  /** As a reader of files does: with the margin and no more. */
  private static byte[] window(Sample sample, int from, int to) {
    var margin = sample.secrets().margin();
    var begin = Math.max(0, from - margin);
    var end = Math.min(sample.input().length, to + margin);
    var content = Arrays.copyOfRange(sample.input(), begin, end);
    var window = sample.secrets().window(content, from - begin, to - begin);
    var text = new String(window.bytes(), ISO_8859_1);
    var marker = new String(sample.marker(), ISO_8859_1);
    that("count", text.split(Pattern.quote(marker), -1).length - 1 == window.count());
    return window.bytes();
  }

  @Test
  void p10OrderAndRepetitionOfSecretsDoNotMatter() {
    forAll(
        60_000,
        LETTERS,
        sample -> {
          var other = new ArrayList<>(sample.needles());
          other.addAll(sample.needles());
          Collections.shuffle(other, new Random(sample.seed()));
          var automaton = Sample.automaton(other, (int) ((sample.seed() + 1) % 3));
          var secrets = SecretSet.of(other, automaton);
          var window = secrets.window(sample.input(), 0, sample.input().length);
          same("shuffled", window.bytes(), sample.expected());
          var streamed = sample.stream(sample.input(), 9);
          streamed.ended();
          that("count", streamed.stream().count() == window.count());
        });
  }

  /** Work is counted, not timed: a slow machine is no defect. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void p11HostileInputCostsAsMuchAsAnyOther(int form) {
    var almost = "a".repeat(3999) + "b";
    var late = "b" + "a".repeat(3999);
    for (var needle : List.of(almost, late, "ab".repeat(2000) + "c", "a".repeat(15) + "b")) {
      for (var text : List.of("a", "ab", "a".repeat(15), "b" + "a".repeat(3998))) {
        for (var chunk : new int[] {1, 64, 4096}) {
          var needles = List.of(needle.getBytes(UTF_8));
          var input = text.repeat((1 << 18) / text.length()).getBytes(UTF_8);
          var stream = SecretSet.of(needles, Sample.automaton(needles, form)).open(bytes -> {});
          for (var i = 0; i < input.length; i += chunk) {
            stream.write(ByteBuffer.wrap(input, i, Math.min(chunk, input.length - i)));
          }
          stream.end();
          assertThat(stream.steps())
              .as("%.20s on %.20s, chunks of %d", needle, text, chunk)
              .isLessThan(4L * input.length);
        }
      }
    }
  }

  private static int longest(List<byte[]> needles) {
    return needles.stream().mapToInt(needle -> needle.length).max().orElseThrow();
  }

  private static void forAll(int cases, String alphabet, Property property) {
    LongStream.range(0, cases)
        .parallel()
        .boxed()
        .<AssertionError>mapMulti((seed, failures) -> {
          try {
            check(seed, alphabet, property);
          } catch (AssertionError e) {
            failures.accept(e);
          }
        })
        .findFirst()
        .ifPresent(failure -> {
          throw failure;
        });
  }

  private static void check(long seed, String alphabet, Property property) {
    var sample = Sample.of(seed, alphabet);
    try {
      property.check(sample);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(sample + ": " + e.getMessage(), e);
    }
  }

  private static void same(String what, byte[] actual, byte[] expected) {
    if (!Arrays.equals(actual, expected)) {
      assertThat(new String(actual, ISO_8859_1))
          .as(what)
          .isEqualTo(new String(expected, ISO_8859_1));
    }
  }

  private static void that(String what, boolean holds) {
    assertThat(holds).as(what).isTrue();
  }

  interface Property {
    void check(Sample sample);
  }
}
