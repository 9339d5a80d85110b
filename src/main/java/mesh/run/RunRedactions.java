package mesh.run;

import mesh.redaction.Redactions;

/**
 * What one run's records must not show. Implemented by the module that knows the secrets; asked
 * before anything about the run is stored or told.
 */
public interface RunRedactions {

  Redactions of(RunId run);
}
