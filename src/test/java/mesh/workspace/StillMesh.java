package mesh.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import mesh.TestMesh;
import mesh.database.Instances;
import mesh.database.TestDatabase;
import mesh.execution.BackendProvider;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.util.FileSystemUtils;

/**
 * A whole Mesh in which nothing moves by itself: every class that serves, and no thread that looks
 * after anything. A test moves it, one step at a time.
 */
final class StillMesh implements AutoCloseable {

  private final ConfigurableApplicationContext context;
  private final Path folder;

  private StillMesh(ConfigurableApplicationContext context, Path folder) {
    this.context = context;
    this.folder = folder;
  }

  static StillMesh on(TestDatabase database, BackendProvider backend) {
    try {
      var folder = Files.createTempDirectory("mesh-still-");
      var application = TestMesh.application();
      application.addInitializers(starting -> {
        var beans = starting.getBeanFactory();
        beans.registerSingleton("lifecycleProcessor", new Stillness());
        beans.registerSingleton(backend.descriptor().name().value(), backend);
      });
      return new StillMesh(
          application.run(
              "--server.port=0",
              "--spring.datasource.url=" + database.url(),
              "--mesh.data-dir=" + folder,
              "--logging.level.mesh=off"),
          folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** A further server on the same database, with a memory of its own. */
  Instance instance() {
    var own = new GenericApplicationContext(context);
    own.getBeanFactory().registerSingleton("lifecycleProcessor", new Stillness());
    AnnotationConfigUtils.registerAnnotationConfigProcessors(own);
    new AnnotatedBeanDefinitionReader(own)
        .register(
            Transactions.class,
            Instances.class,
            InFlight.class,
            Condemned.class,
            Releaser.class,
            WorkspaceSizes.class,
            GrantDelivery.class,
            WorkspaceContext.class,
            Provisioner.class,
            WorkspaceClaims.class,
            Workspaces.class,
            AbandonedWorkspaces.class,
            IdleWorkspaces.class,
            OldWorkspaces.class,
            ComputeBudgets.class,
            InventorySweep.class);
    own.refresh();
    return new Instance(own);
  }

  @Override
  public void close() {
    context.close();
    // Levels are the whole JVM's, and other tests listen to the log.
    LoggingSystem.get(StillMesh.class.getClassLoader()).setLogLevel("mesh", null);
    FileSystemUtils.deleteRecursively(folder.toFile());
  }

  /** One server; whoever drops it has killed it. */
  record Instance(GenericApplicationContext context) {

    <T> T bean(Class<T> type) {
      return context.getBean(type);
    }
  }

  /** What a context does not have from its parent. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Transactions {}

  private static final class Stillness implements LifecycleProcessor {

    @Override
    public void onRefresh() {}

    @Override
    public void onClose() {}

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public boolean isRunning() {
      return false;
    }
  }
}
