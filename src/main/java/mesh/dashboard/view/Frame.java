package mesh.dashboard.view;

/**
 * What every document needs, signed in or not.
 *
 * @param theme {@code light}, {@code dark} or {@code auto}
 * @param csrfField name of the hidden field
 * @param assets addresses of stylesheet and scripts
 */
public record Frame(String theme, String csrfField, String csrfToken, AssetLinks assets) {}
