package mesh.run;

import java.time.Instant;

/** How many of the runs created in one hour are in one status now. */
public record RunsPerHour(Instant hour, RunStatus status, long runs) {}
