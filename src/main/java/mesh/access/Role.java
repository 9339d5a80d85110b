package mesh.access;

/** What an operator may do, least first. Each role may do all that the ones before it may. */
public enum Role {
  VIEWER,
  OPERATOR,
  ADMIN;

  public boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }
}
