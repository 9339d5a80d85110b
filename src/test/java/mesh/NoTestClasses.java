package mesh;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

/** Configurations and controllers of other tests are on the class path and not in Mesh. */
final class NoTestClasses extends TypeExcludeFilter {

  @Override
  public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
    return String.valueOf(reader.getResource()).contains("test-classes");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NoTestClasses;
  }

  @Override
  public int hashCode() {
    return 1;
  }
}
