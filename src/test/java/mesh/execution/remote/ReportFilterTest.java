package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFilterTest {

  private static final String TOKEN = "0123abcd";
  private static final String REPORT = "\036" + TOKEN + " exit 3 2\n";

  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
  private final ReportFilter filter =
      new ReportFilter(
          TOKEN,
          bytes -> {
            assertThat(bytes.isReadOnly()).isTrue();
            while (bytes.hasRemaining()) {
              passed.write(bytes.get());
            }
          });

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "abc\n",
        "\036",
        "\036\036",
        "\0360123ab",
        "\036\0360123abcd",
        "\0360123abcX exit 0 0\n",
        "a\0360\03601\036",
        "\0360123\036",
        "\u00ff\u0000\u0080"
      })
  void theReportIsTakenOutHoweverTheStreamIsCut(String before) {
    var after = "from a child \036 " + REPORT;
    var stream = (before + REPORT + after).getBytes(ISO_8859_1);
    for (int first = 0; first <= stream.length; first++) {
      for (int second = first; second <= stream.length; second++) {
        var other = new ReportFilterTest();

        other.filter.accept(Arrays.copyOfRange(stream, 0, first));
        other.filter.accept(Arrays.copyOfRange(stream, first, second));
        other.filter.accept(Arrays.copyOfRange(stream, second, stream.length));
        other.filter.flush();

        assertThat(other.filter.report()).contains(new ReportFilter.Ended(3, 2));
        assertThat(other.passed.toString(ISO_8859_1)).isEqualTo(before + after);
      }
    }
  }

  @Test
  void anEndWithoutAReportGivesBackWhatLookedLikeOne() {
    filter.accept("x\0360123".getBytes(ISO_8859_1));
    assertThat(passed.toString(ISO_8859_1)).isEqualTo("x");

    filter.flush();

    assertThat(passed.toString(ISO_8859_1)).isEqualTo("x\0360123");
    assertThat(filter.report()).isEmpty();
  }

  @Test
  void aMissingDirectoryIsReported() {
    filter.accept(("\036" + TOKEN + " nodirectory\n").getBytes(ISO_8859_1));

    assertThat(filter.report()).contains(new ReportFilter.NoDirectory());
    assertThat(passed.size()).isZero();
  }

  @Test
  void anEndAtTheDeadlineIsReported() {
    filter.accept(("\036" + TOKEN + " late\n").getBytes(ISO_8859_1));

    assertThat(filter.report()).contains(new ReportFilter.Overdue());
  }
}
