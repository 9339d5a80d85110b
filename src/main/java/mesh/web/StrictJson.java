package mesh.web;

import org.springframework.boot.jackson.autoconfigure.JsonFactoryBuilderCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/**
 * One reading of every body: no field twice, none unknown, no text where a number belongs, nothing
 * nested without end. Fields are {@code snake_case} on the wire and camelCase in records.
 */
@Configuration(proxyBeanMethods = false)
class StrictJson {

  /** Levels of objects and lists; more than any honest call needs. */
  static final int DEPTH = 64;

  // A file of 16 MiB as base64 is one text of 22.4 million characters, above Jackson's default.
  private static final int LONGEST_TEXT = BodyLimits.FILE;

  @Bean
  JsonFactoryBuilderCustomizer boundedFactory() {
    return factory ->
        factory.streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxStringLength(LONGEST_TEXT)
                .build());
  }

  @Bean
  JsonMapperBuilderCustomizer strictMapper() {
    return mapper ->
        mapper
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                LogicalType.Textual,
                text ->
                    text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
  }
}
