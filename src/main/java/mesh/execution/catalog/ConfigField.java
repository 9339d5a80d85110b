package mesh.execution.catalog;

import java.util.List;

/**
 * One input of a settings form. Sealed, so the page that draws it and the check that validates it
 * are exhaustive.
 */
public sealed interface ConfigField {

  /** The key in the configuration; lower snake case. */
  String key();

  String label();

  /** One sentence under the input. */
  String help();

  boolean required();

  /**
   * @param fallback used when no value is set; empty if there is none
   */
  record Text(String key, String label, String help, boolean required, String fallback)
      implements ConfigField {}

  /**
   * The vendor's address. Stored secrets are bound to it: whoever changes it must enter them again,
   * so that nobody who may edit an address can have a stored secret sent there.
   *
   * @param fallback used when no value is set
   */
  record Address(String key, String label, String help, String fallback) implements ConfigField {

    @Override
    public boolean required() {
      return false;
    }
  }

  /** Stored encrypted; written by the operator and never shown again. */
  record Secret(String key, String label, String help, boolean required) implements ConfigField {}

  /**
   * @param options the allowed values, in the order to show
   * @param fallback used when no value is set; one of the options
   */
  record Choice(String key, String label, String help, List<String> options, String fallback)
      implements ConfigField {

    public Choice {
      options = List.copyOf(options);
    }

    @Override
    public boolean required() {
      return false;
    }
  }

  /** On or off; off when not set. */
  record Toggle(String key, String label, String help) implements ConfigField {

    @Override
    public boolean required() {
      return false;
    }
  }
}
