package mesh.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultPointTest {

  @ParameterizedTest
  @EnumSource
  void aPointDoesNothingWhereNobodyListens(FaultPoint point) {
    assertThatCode(point::hit).doesNotThrowAnyException();
  }

  /** What is built has no listener; what tests put beside it is on no server's class path. */
  @Test
  void nobodyListensInWhatIsBuilt() throws IOException {
    var service = "META-INF/services/" + FaultPoint.Listener.class.getName();

    assertThat(Collections.list(FaultPoint.class.getClassLoader().getResources(service)))
        .allMatch(found -> found.toString().contains("test-classes"));
  }
}
