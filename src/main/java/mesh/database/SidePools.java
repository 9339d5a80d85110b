package mesh.database;

import java.time.Duration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pools beside the one that Spring makes. They are found by their beans' names. */
@Configuration(proxyBeanMethods = false)
class SidePools {

  /**
   * Only for asking whether an operation may go on, so that a busy service cannot keep a revocation
   * from being seen. Two connections answer some thousands of such questions per second.
   */
  @Bean
  SidePool authorityPool(JdbcConnectionDetails details) {
    return SidePool.open(
        details,
        "authority",
        2,
        Duration.ofSeconds(5),
        "-c statement_timeout=5s -c lock_timeout=1s -c idle_in_transaction_session_timeout=5s");
  }

  /** Waits until no credential is being written; writers that hang must not keep it waiting. */
  @Bean
  SidePool drainPool(JdbcConnectionDetails details) {
    return SidePool.open(
        details,
        "drain",
        2,
        Duration.ofSeconds(20),
        "-c statement_timeout=6s -c lock_timeout=5s -c idle_in_transaction_session_timeout=5s");
  }

  /**
   * Holds the locks under which credentials are written into sandboxes. A transaction is idle while
   * the vendor takes the file and, if that is cut off, until the vendor has ended what was writing:
   * 10 s and 15 s. The lock must outlast both, or a revocation would take the write for over.
   */
  @Bean
  SidePool deliveryPool(JdbcConnectionDetails details) {
    return SidePool.open(
        details,
        "delivery",
        8,
        Duration.ofSeconds(20),
        "-c statement_timeout=6s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s");
  }
}
