package mesh;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

/** Every address that a controller of Mesh answers, read from its classes. */
public final class MeshRoutes {

  /**
   * @param path with something in place of each variable
   */
  public record Route(String method, String path) {}

  private MeshRoutes() {}

  public static List<Route> all() {
    List<Route> routes = new ArrayList<>();
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("mesh")) {
      for (Method method : methods(type)) {
        RequestMapping mapping =
            AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null) {
          add(routes, prefixes(type), mapping);
        }
      }
    }
    return routes;
  }

  private static Method[] methods(JavaClass type) {
    boolean controller = type.isMetaAnnotatedWith(org.springframework.stereotype.Controller.class);
    return controller ? type.reflect().getDeclaredMethods() : new Method[0];
  }

  private static String[] prefixes(JavaClass type) {
    RequestMapping mapping =
        AnnotatedElementUtils.findMergedAnnotation(type.reflect(), RequestMapping.class);
    return mapping == null || mapping.path().length == 0 ? new String[] {""} : mapping.path();
  }

  private static void add(List<Route> routes, String[] prefixes, RequestMapping mapping) {
    String[] paths = mapping.path().length == 0 ? new String[] {""} : mapping.path();
    RequestMethod[] methods =
        mapping.method().length == 0 ? RequestMethod.values() : mapping.method();
    for (String prefix : prefixes) {
      for (String path : paths) {
        for (RequestMethod method : methods) {
          routes.add(
              new Route(
                  method.name(),
                  (prefix + path).replaceAll("\\{\\*[^}]*}", "/x").replaceAll("\\{[^}]*}", "x")));
        }
      }
    }
  }
}
