package mesh.dashboard.view;

/** What is wrong with one field and what to do; listed at the top and beside the field. */
public record FieldError(String field, String text) {}
