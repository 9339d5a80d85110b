package mesh.access;

import java.security.SecureRandom;
import java.util.UUID;
import mesh.web.Problem;
import org.springframework.stereotype.Component;

/** Tokens of runs. One lives as long as its run: whether it does is asked with every call. */
@Component
public final class RunTokens {

  private final RunTokenRepository rows;
  private final SecureRandom random;

  RunTokens(RunTokenRepository rows, SecureRandom random) {
    this.rows = rows;
    this.random = random;
  }

  /**
   * Makes the one token of a run, in the caller's transaction if there is one.
   *
   * @throws org.springframework.dao.DuplicateKeyException if the run has a token already
   */
  public PlainToken issue(UUID run) {
    PlainToken token = TokenKind.RUN.mint(random);
    rows.insert(run, TokenKind.sha256(token.reveal()));
    return token;
  }

  /**
   * @throws Problem 401 {@code token_invalid}, or {@code run_ended} if the run is over
   */
  RunCaller caller(String text) {
    RunTokenRepository.Holder holder =
        TokenKind.RUN
            .hash(text)
            .flatMap(rows::holder)
            .orElseThrow(
                () -> Problem.unauthorized("token_invalid", "This is not the token of a run."));
    if (holder.ended()) {
      throw Problem.unauthorized("run_ended", "The run has ended, and its token with it.");
    }
    return new RunCaller(holder.run(), holder.agent());
  }
}
