package mesh.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import mesh.secret.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSetTest {

  private static final String M = Redactions.MARKER;
  private static final String TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  private static final String PEM =
      """
      -----BEGIN OPENSSH PRIVATE KEY-----
      b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
      QyNTUxOQAAACBrZXkgZm9yIGEgdGVzdCwgbm90IGEga2V5LCAzMiBieXRlcyBsb25nAAAA
      -----END OPENSSH PRIVATE KEY-----
      """;

  @ParameterizedTest
  @CsvSource({
    "aab, xaaabx, xa#x",
    "'abcd,cdef', abcdef, #",
    "'abcd,cdef', abcdeabcd, #e#",
    "a, aaaaaaaa, #",
    "'ab,cd', abcd, #",
    "'ab,cd', ab-cd, #-#",
    "'e,ef,defg,bcdefghi,abcdefghijk', -abcdefghijk-bcdefgh-e-ef, -#-bc#h-#-#",
    "'abcdefgh,cd', xabcdefx, xab#efx",
    "abcdef, abcdef, #",
    "abcdefabcdef, abcdefabcde, abcdefabcde",
    "'abcdxxx,bcd', abcdxx, a#xx",
  })
  void fixedVectors(String secrets, String input, String expected) {
    var redactions = exactly(secrets.split(",", -1));

    for (var chunk = 1; chunk <= input.length(); chunk++) {
      assertThat(streamed(redactions, input, chunk))
          .as("chunks of %d", chunk)
          .isEqualTo(expected.replace("#", M));
    }
    assertThat(redactions.apply(input)).isEqualTo(expected.replace("#", M));
  }

  /** Case 7: in both orders of registration. */
  @Test
  void aSecretThatBeginsAnotherDoesNotExposeTheRest() {
    for (var secrets :
        List.of(List.of("sk-live", "sk-live-12345"), List.of("sk-live-12345", "sk-live"))) {
      var redactions = exactly(secrets.toArray(String[]::new));
      assertThat(streamed(redactions, "sk-live-12345\n", 3)).isEqualTo(M + "\n");
      assertThat(streamed(redactions, "sk-live-1234\n", 3)).isEqualTo(M + "-1234\n");
    }
  }

  /** Case 22. */
  @ParameterizedTest
  @ValueSource(strings = {"p$w", "a(b", "x+y.z[", "\\Qa\\E", "$1"})
  void charactersOfRegularExpressionsAreOrdinary(String secret) {
    for (var redactions : List.of(exactly(secret), SecretSet.of(List.of(Secret.of(secret))))) {
      assertThat(redactions.apply("<" + secret + ">\n"))
          .isEqualTo("<" + redactions.marker() + ">\n");
    }
  }

  /** Case 40: a value of one character is redacted, and the marker is not redacted again. */
  @Test
  void aSingleCharacterIsASecret() {
    var redactions = SecretSet.of(List.of(Secret.of("a")));

    assertThat(redactions.apply("banana\n")).isEqualTo("b" + M + "n" + M + "n" + M + "\n");
    assertThat(redactions.apply(redactions.apply("banana"))).isEqualTo(redactions.apply("banana"));
  }

  /** Case 40: a line of a value is none of its forms if it is short. */
  @Test
  void aLoneBraceIsNoSecret() {
    var redactions = SecretSet.of(List.of(Secret.of("{\n\"k\":\"v1234567\"\n}\n")));

    assertThat(redactions.apply("{ }\n{\n}\n")).isEqualTo("{ }\n{\n}\n");
    assertThat(redactions.apply("{\n\"k\":\"v1234567\"\n}")).isEqualTo(M);
    assertThat(redactions.apply("  \"k\":\"v1234567\"")).isEqualTo("  " + M);
  }

  /** Case 41. */
  @Test
  void anEmptySecretIsIgnored() {
    assertThat(exactly("")).isSameAs(Redactions.NONE);
    assertThat(SecretSet.of(List.of())).isSameAs(Redactions.NONE);
    assertThat(SecretSet.of(List.of(Secret.of(""), Secret.of("\n"))).apply("foo\n"))
        .isEqualTo("foo" + M);
    assertThat(exactly("", "bar").apply("foo\n")).isEqualTo("foo\n");
  }

  /** Case 51: as it is and as JSON shows it. */
  @Test
  void quotesAndBackslashesAndTabs() {
    var redactions = SecretSet.of(List.of(Secret.of("a\"b\\c\té")));

    assertThat(redactions.apply("a\"b\\c\té\n")).isEqualTo(M + "\n");
    assertThat(redactions.apply("{\"x\":\"a\\\"b\\\\c\\té\"}")).isEqualTo("{\"x\":\"" + M + "\"}");
    assertThat(redactions.apply("{\"x\":\"a\\\"b\\\\c\\t\\u00e9\"}"))
        .isEqualTo("{\"x\":\"" + M + "\"}");
  }

  @Test
  void aKeyIsFoundWithAndWithoutItsLastLineEndAndAsATerminalShowsIt() {
    var redactions = exactly(PEM);

    assertThat(redactions.apply(PEM + "$ ")).isEqualTo(M + "$ ");
    assertThat(redactions.apply(PEM.strip() + "$ ")).isEqualTo(M + "$ ");
    assertThat(streamed(redactions, PEM.replace("\n", "\r\n") + "$ ", 7)).isEqualTo(M + "$ ");
    assertThat(redactions.apply(PEM.strip().replace("\n", "\r\n") + "$ ")).isEqualTo(M + "$ ");
  }

  @Test
  void formsInWhichProgramsShowASecret() {
    var secret = "pass word/é+" + TOKEN;
    var redactions = SecretSet.of(List.of(Secret.of(secret), Secret.of(PEM)));

    assertThat(redactions.apply(URLEncoder.encode(secret, UTF_8))).isEqualTo(M);
    assertThat(redactions.apply(URLEncoder.encode(secret, UTF_8).replace("+", "%20"))).isEqualTo(M);
    assertThat(redactions.apply("  " + PEM.lines().skip(1).findFirst().orElseThrow()))
        .isEqualTo("  " + M);
    assertThat(redactions.apply(PEM.replace("\n", "\\n"))).isEqualTo(M);
    for (var before : List.of("", "x", "xx", "x-access-token:")) {
      for (var after : List.of("", "y", "yy")) {
        var text = (before + secret + after).getBytes(UTF_8);
        var shown = redactions.apply(Base64.getEncoder().encodeToString(text));
        assertThat(shown.replace(M, "")).as(shown).hasSizeLessThan(12);
        assertThat(redactions.apply(Base64.getUrlEncoder().encodeToString(text))).isEqualTo(shown);
      }
    }
    assertThat(exactly(secret).apply(URLEncoder.encode(secret, UTF_8))).doesNotContain(M);
  }

  @Test
  void theFormsOfAShortSecretAreLeftAlone() {
    var redactions = SecretSet.of(List.of(Secret.of("a b c")));
    assertThat(redactions.apply("a+b+c YSBiIGM= a%20b%20c")).doesNotContain(M);
  }

  @ParameterizedTest
  @CsvSource({
    "abc, [REDACTED]",
    "x[, ***",
    "RED, ***",
    "REDACTED, ***",
    "'[,*', •••",
    "'[,*,•', [REDACTED]",
  })
  void theMarkerDoesNotCollideWithASecret(String secrets, String marker) {
    var all = Arrays.stream(secrets.split(",", -1)).map(Secret::of).toList();
    assertThat(SecretSet.exactly(all).marker()).isEqualTo(marker);
    assertThat(SecretSet.of(all).marker()).isEqualTo(marker);
  }

  @Test
  void aCutStreamHidesTheBeginningOfASecretIfItTellsSomething() {
    assertThat(cut("x ghp_16C")).isEqualTo("x ghp_16C");
    assertThat(cut("x ghp_16C7")).isEqualTo("x " + M);
    assertThat(cut(TOKEN + TOKEN.substring(0, 20))).isEqualTo(M);
    assertThat(streamed(exactly(TOKEN), "x ghp_16C7e42F", 5)).isEqualTo("x ghp_16C7e42F");
  }

  private static String cut(String text) {
    var out = new ByteArrayOutputStream();
    var stream = exactly(TOKEN).open(Sample.collecting(out));
    stream.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    stream.cut();
    return out.toString(UTF_8);
  }

  @Test
  void buffersOfAllKindsAreReadToTheirEnd() {
    var text = "text ".repeat(10_000) + TOKEN + " text";
    var bytes = text.getBytes(UTF_8);
    var offset = ByteBuffer.allocate(bytes.length + 7).position(7).slice().put(bytes).flip();
    for (var buffer :
        List.of(offset, Sample.direct(bytes), ByteBuffer.wrap(bytes).asReadOnlyBuffer())) {
      var out = new ByteArrayOutputStream();
      var stream = exactly(TOKEN).open(Sample.collecting(out));
      Redactions.NONE
          .open(passed -> assertThat(passed.remaining()).isEqualTo(bytes.length))
          .write(buffer.duplicate());
      stream.write(buffer);
      stream.end();
      assertThat(buffer.hasRemaining()).isFalse();
      assertThat(out.toString(UTF_8)).isEqualTo(text.replace(TOKEN, M));
    }
  }

  @Test
  @SuppressWarnings("ByteBufferBackingArray") // the array itself is what is compared
  void textWithoutSecretsIsPassedOnAsItCame() {
    var bytes = "nothing to hide here ".repeat(100).getBytes(UTF_8);
    var stream =
        exactly(TOKEN)
            .open(passed -> {
              assertThat(passed.array()).as("copied").isSameAs(bytes);
              assertThat(passed.arrayOffset() + passed.position()).isEqualTo(5);
            });
    stream.write(ByteBuffer.wrap(bytes, 5, bytes.length - 5));
    stream.end();
  }

  @Test
  void aWindowCountsTheMarkersInIt() {
    var redactions = exactly("secret");
    var content = "a secret, a secret".getBytes(UTF_8);

    var window = redactions.window(content, 4, 14);

    assertThat(new String(window.bytes(), UTF_8)).isEqualTo(M + ", a " + M);
    assertThat(window.count()).isEqualTo(2);
    assertThat(redactions.margin()).isEqualTo(5);
  }

  private static Redactions exactly(String... secrets) {
    return SecretSet.exactly(Arrays.stream(secrets).map(Secret::of).toList());
  }

  private static String streamed(Redactions redactions, String text, int chunk) {
    var out = new ByteArrayOutputStream();
    var bytes = text.getBytes(UTF_8);
    var stream = redactions.open(Sample.collecting(out));
    for (var i = 0; i < bytes.length; i += chunk) {
      stream.write(ByteBuffer.wrap(bytes, i, Math.min(chunk, bytes.length - i)));
    }
    stream.end();
    return out.toString(UTF_8);
  }
}
