package mesh.workspace;

import mesh.execution.Backend;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.catalog.BackendName;
import org.springframework.stereotype.Component;

/**
 * Calls vendors' adapters, each call a stage of its own. The adapters know nothing of that; nor is
 * a {@link Backend} wrapped, which would hide what it can do besides. A {@link Sandbox} has no such
 * abilities, so that one is.
 */
@Component
class VendorCalls {

  private final WorkspaceStages stages;

  VendorCalls(WorkspaceStages stages) {
    this.stages = stages;
  }

  /** As {@link Acquisition#of}. */
  Sandbox acquire(BackendName name, Backend backend, SandboxSpec spec, Egress egress)
      throws InterruptedException {
    return new Observed(
        name,
        stages.vendor(name, "acquire", _ -> "done", () -> Acquisition.of(backend, spec, egress)));
  }

  Sandbox attach(BackendName name, Backend backend, ExternalRef ref) throws InterruptedException {
    return new Observed(
        name, stages.vendor(name, "attach", _ -> "done", () -> backend.attach(ref)));
  }

  Sandbox wake(BackendName name, Hibernator hibernator, ExternalRef ref)
      throws InterruptedException {
    return new Observed(name, stages.vendor(name, "wake", _ -> "done", () -> hibernator.wake(ref)));
  }

  Release release(BackendName name, Backend backend, ExternalRef ref) throws InterruptedException {
    return stages.vendor(name, "release", _ -> "done", () -> backend.release(ref));
  }

  /** As {@link Destruction#of}. */
  void destroy(BackendName name, Backend backend, ExternalRef ref) throws InterruptedException {
    boolean _ =
        stages.vendor(
            name,
            "destroy",
            _ -> "done",
            () -> {
              Destruction.of(backend, ref);
              return true;
            });
  }

  Inventory list(BackendName name, Backend backend, InstallationId installation)
      throws InterruptedException {
    return stages.vendor(name, "list", _ -> "done", () -> backend.list(installation));
  }

  /** How a command ended, in a word. */
  static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Exited _ -> "exited";
      case Outcome.Signalled _ -> "signalled";
      case Outcome.TimedOut _ -> "timed_out";
      case Outcome.OutOfMemory _ -> "out_of_memory";
      case Outcome.Unknown _ -> "unknown";
      case Outcome.NoSuchDirectory _ -> "not_started";
    };
  }

  private final class Observed implements Sandbox {

    private final BackendName name;
    private final Sandbox sandbox;

    Observed(BackendName name, Sandbox sandbox) {
      this.name = name;
      this.sandbox = sandbox;
    }

    @Override
    public ExternalRef ref() {
      return sandbox.ref();
    }

    @Override
    public SandboxPath project() {
      return sandbox.project();
    }

    @Override
    public SandboxPath home() {
      return sandbox.home();
    }

    @Override
    public Outcome exec(Command command, OutputSink sink) throws InterruptedException {
      return stages.vendor(name, "exec", VendorCalls::word, () -> sandbox.exec(command, sink));
    }

    @Override
    public FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
      return stages.vendor(name, "read", _ -> "done", () -> sandbox.read(path, offset, maxBytes));
    }

    @Override
    public FileWrite write(SandboxPath path, byte[] content, FileMode mode)
        throws InterruptedException {
      return stages.vendor(name, "write", _ -> "done", () -> sandbox.write(path, content, mode));
    }
  }
}
