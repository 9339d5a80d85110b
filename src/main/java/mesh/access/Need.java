package mesh.access;

import org.jspecify.annotations.Nullable;

/** Who may call an address. */
enum Need {
  ANYONE,
  RUN,
  VIEWER,
  OPERATOR,
  ADMIN;

  boolean metBy(@Nullable Object principal) {
    return switch (this) {
      case ANYONE -> true;
      case RUN -> principal instanceof RunCaller;
      case VIEWER -> covered(principal, Role.VIEWER);
      case OPERATOR -> covered(principal, Role.OPERATOR);
      case ADMIN -> covered(principal, Role.ADMIN);
    };
  }

  private static boolean covered(@Nullable Object principal, Role role) {
    return principal instanceof Operator operator && operator.role().covers(role);
  }
}
