package mesh.history;

import java.util.List;

/** One promise of the fault plan, checked on a whole history. */
interface Invariant {

  /** As the plan numbers it. */
  String name();

  List<Violation> in(History history, Timeline timeline);
}
