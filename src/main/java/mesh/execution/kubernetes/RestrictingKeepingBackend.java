package mesh.execution.kubernetes;

import mesh.execution.EgressControl.Grade;
import mesh.execution.EgressGrade;

/** Pods whose egress can be limited and whose project files can be kept. */
@EgressGrade(value = Grade.KERNEL, staysOpen = Restricting.STAYS_OPEN)
record RestrictingKeepingBackend(Parts parts, Egress egress, Snapshots snapshots)
    implements Restricting, Keeping {}
