package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.config.DiskKind;
import dev.upcall.io.volume.NettyReactor;

/** Who serves the calls in tests of the facade; with little memory and a small cap. */
public enum TestedStore implements TestedEngines.Kind {
  /** State machines on the ring, where there is one. */
  RING(Engine.FSM),
  /** State machines on the channel. */
  CHANNEL(Engine.FSM),
  /** Threads that do their own work; of a module of their own. */
  THREADS(Engine.THREADS),
  /** The same for virtual threads. */
  VIRTUAL(Engine.VIRTUAL);

  private final Engine engine;

  TestedStore(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Engine engine() {
    return engine;
  }

  /** Its settings. */
  public UpcallConfig config() {
    DiskKind disk =
        switch (this) {
          case RING -> NettyReactor.ringUnavailable() == null ? DiskKind.RING : DiskKind.AUTO;
          case CHANNEL -> DiskKind.CHANNEL;
          case THREADS, VIRTUAL -> DiskKind.AUTO;
        };
    return UpcallBehaviour.small(disk).withEngine(engine);
  }
}
