package mesh.activity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "=", "=cmd|' /C calc'!A0"})
  void aFormulaBecomesText(String formula) {
    String line = Csv.line(formula, "plain");

    assertThat(line.replace("\"", "")).startsWith("'" + formula.replace("\"", ""));
  }

  @Test
  void separatorsQuotesAndLineBreaksStayInTheirCell() {
    assertThat(Csv.line("a,b", "say \"x\"", "two\nlines", "plain", null, 7))
        .isEqualTo("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",plain,,7\r\n");
  }

  @Test
  void aFormulaBehindAQuoteIsQuotedOnce() {
    assertThat(Csv.line("=A1,\"x\"")).isEqualTo("\"'=A1,\"\"x\"\"\"\r\n");
  }

  @Test
  void whatOnlyContainsSuchCharactersIsLeftAlone() {
    assertThat(Csv.line("a=b", "x-y", "{\"a\":-1}")).isEqualTo("a=b,x-y,\"{\"\"a\"\":-1}\"\r\n");
  }
}
