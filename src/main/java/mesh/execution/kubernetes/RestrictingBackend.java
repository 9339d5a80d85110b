package mesh.execution.kubernetes;

import mesh.execution.EgressControl.Grade;
import mesh.execution.EgressGrade;

/** Pods whose egress can be limited. */
@EgressGrade(value = Grade.KERNEL, staysOpen = Restricting.STAYS_OPEN)
record RestrictingBackend(Parts parts, Egress egress) implements Restricting {}
