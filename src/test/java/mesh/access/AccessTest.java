package mesh.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import mesh.database.TestDatabase;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;

/** On a real server with a database of its own. Tests of the same kind share both. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = AccessContext.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = TestDatabase.ForContext.class)
@interface AccessTest {}
