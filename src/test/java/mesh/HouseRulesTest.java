package mesh;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethod;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.NullMarked;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** The house rules that a machine can check. Numbers are those of CONTRIBUTING.md. */
@AnalyzeClasses(packages = "mesh", importOptions = DoNotIncludeTests.class)
class HouseRulesTest {

  /** Rule 2. */
  @ArchTest
  static final ArchRule every_package_is_null_marked =
      classes()
          .that(
              describe(
                  "are ours",
                  type -> !type.getPackageName().startsWith("gg.jte") && !type.isAnonymousClass()))
          .should(
              new ArchCondition<JavaClass>("live in a package marked @NullMarked") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(
                        SimpleConditionEvent.violated(
                            type, type.getPackageName() + " is not @NullMarked"));
                  }
                }
              });

  /** Rule 3. */
  @ArchTest
  static final ArchRule names_say_the_role =
      noClasses()
          .should()
          .haveNameMatching(".*(Manager|Helper|Util|Utils|Impl|Base|Data|Info|Service)");

  /** Rule 12. */
  @ArchTest
  static final ArchRule time_and_ids_are_injected =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("mesh.Ambient")
          .should()
          .callMethod(Instant.class, "now")
          .orShould(callMethod(System.class, "currentTimeMillis"))
          .orShould(callMethod(UUID.class, "randomUUID"))
          .orShould(callMethod(Clock.class, "systemUTC"))
          .orShould(callMethod(Math.class, "random"));

  /** Rule 14: who calls vendors or models opens no transaction. */
  @ArchTest
  static final ArchRule no_transaction_where_vendors_are_called =
      noMethods()
          .that()
          .areDeclaredInClassesThat(
              resideInAnyPackage("mesh.execution..", "mesh.harness..", "mesh.inference.."))
          .should()
          .beAnnotatedWith(Transactional.class);

  /** Rule 14. */
  @ArchTest
  static final ArchRule transactions_belong_to_methods =
      noClasses().should().beAnnotatedWith(Transactional.class);

  /** Rule 15. */
  @ArchTest
  static final ArchRule sql_lives_in_repositories =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("Repository")
          .and()
          .resideOutsideOfPackage("mesh.database..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(JdbcClient.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(JdbcOperations.class);

  /** Rule 15. */
  @ArchTest
  static final ArchRule repositories_stay_inside =
      noClasses().that().haveSimpleNameEndingWith("Repository").should().bePublic();
}
