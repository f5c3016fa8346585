package dev.upcall.fileman.engine;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.io.volume.VolumeClaim;
import java.nio.file.Path;

/**
 * Opens stores whose calls are not served by state machines. A {@link java.util.ServiceLoader}
 * finds the provider, in the loader that has this interface.
 */
public interface EngineProvider {
  /** Whether it opens stores of this engine. */
  boolean serves(Engine engine);

  /** See {@link Upcall#open}. The volume exists. */
  Upcall open(Path volume, UpcallConfig config);

  /** As {@link #open(Path, UpcallConfig)}, of a volume that was waited for. */
  Upcall open(VolumeClaim claim, UpcallConfig config);
}
