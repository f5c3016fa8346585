package dev.upcall.threads.files;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.engine.EngineProvider;
import dev.upcall.io.volume.VolumeClaim;
import java.nio.file.Path;

/** The engines of this module: threads that do their own work, platform or virtual ones. */
public final class ThreadEngines implements EngineProvider {
  /** For the loader of services. */
  public ThreadEngines() {}

  @Override
  public boolean serves(Engine engine) {
    return engine != Engine.FSM;
  }

  @Override
  public Upcall open(Path volume, UpcallConfig config) {
    return ThreadUpcall.open(volume, config);
  }

  @Override
  public Upcall open(VolumeClaim claim, UpcallConfig config) {
    return ThreadUpcall.open(claim, config);
  }
}
