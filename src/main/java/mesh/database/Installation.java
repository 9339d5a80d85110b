package mesh.database;

/**
 * This installation of Mesh, for as long as its database lives; made at the first start.
 *
 * @param id 10 characters {@code [a-z0-9]}; tells at a vendor what this installation made from what
 *     another one made in the same account
 */
public record Installation(String id) {}
