package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.engine.EngineProvider;
import dev.upcall.io.volume.VolumeClaim;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** Stores of engines that other modules provide. */
public final class OtherEngines {
  private OtherEngines() {}

  /** See {@link Upcall#create}. */
  public static Upcall create(Path volume, UpcallConfig config) {
    // Before a file is made.
    EngineProvider provider = provider(config.engine());
    VolumeUpcall.make(volume, config);
    return provider.open(volume, config);
  }

  /** See {@link Upcall#open}. */
  public static Upcall open(Path volume, UpcallConfig config) {
    return provider(config.engine()).open(volume, config);
  }

  /** As {@link #open(Path, UpcallConfig)}, of a volume that was waited for. */
  public static Upcall open(VolumeClaim claim, UpcallConfig config) {
    return provider(config.engine()).open(claim, config);
  }

  /** See {@link Upcall#openOrCreate}. */
  public static Upcall openOrCreate(Path volume, UpcallConfig config) {
    return NewVolume.isToBeMade(volume, config) ? create(volume, config) : open(volume, config);
  }

  private static EngineProvider provider(Engine engine) {
    for (EngineProvider provider :
        ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
      if (provider.serves(engine)) {
        return provider;
      }
    }
    throw UpcallException.of(
        new Failure.Invalid(
            "the engine %s is in an artifact of its own: add dev.upcall:threads (module dev.upcall.threads) to the program"
                .formatted(engine)));
  }
}
