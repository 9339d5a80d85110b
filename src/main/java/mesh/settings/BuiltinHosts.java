package mesh.settings;

import java.util.List;
import java.util.stream.Stream;

/**
 * What every allowlist holds besides the operators' own hosts: where source code and packages come
 * from. A wildcard for each ecosystem and not single hosts, which change; the bare name beside it
 * where that serves something too.
 */
enum BuiltinHosts {
  GITHUB("GitHub", "github.com", "*.github.com", "*.githubusercontent.com"),
  GITLAB("GitLab", "gitlab.com", "*.gitlab.com"),
  NPM("npm", "*.npmjs.org"),
  PYPI("PyPI", "pypi.org", "*.pypi.org", "*.pythonhosted.org"),
  MAVEN("Maven", "*.maven.org", "*.maven.apache.org"),
  CRATES("crates", "crates.io", "*.crates.io"),
  GO("Go", "*.golang.org"),
  RUBYGEMS("RubyGems", "rubygems.org", "*.rubygems.org"),
  NUGET("NuGet", "*.nuget.org"),
  DEBIAN("Debian", "*.debian.org"),
  UBUNTU("Ubuntu", "*.ubuntu.com"),
  ALPINE("Alpine", "*.alpinelinux.org");

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> domains;

  BuiltinHosts(String title, String... domains) {
    this.title = title;
    this.domains = List.of(domains);
  }

  /** As people call the ecosystem. */
  String title() {
    return title;
  }

  List<String> domains() {
    return domains;
  }

  /** In alphabetical order. */
  static List<String> all() {
    return Stream.of(values()).flatMap(it -> it.domains.stream()).sorted().toList();
  }
}
