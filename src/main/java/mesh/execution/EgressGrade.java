package mesh.execution;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How well a backend keeps an {@link EgressPolicy}. On the class, so that it is known of one that
 * was not opened.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EgressGrade {

  EgressControl.Grade value();

  /** One sentence for operators: what stays open all the same, such as DNS lookups. */
  String staysOpen();

  /** The longest list that the vendor takes. */
  int mostDomains() default Integer.MAX_VALUE;
}
