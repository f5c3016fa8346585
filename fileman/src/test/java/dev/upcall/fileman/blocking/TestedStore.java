package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.config.DiskKind;
import dev.upcall.io.NettyReactor;

/** Who serves the calls in tests of the facade; with little memory and a small cap. */
public enum TestedStore {
  /** State machines on the ring, where there is one. */
  RING,
  /** State machines on the channel. */
  CHANNEL,
  /** Threads that do their own work. */
  THREADS;

  /** Its settings. */
  public UpcallConfig config() {
    return switch (this) {
      case RING ->
          UpcallBehaviour.small(
              NettyReactor.ringUnavailable() == null ? DiskKind.RING : DiskKind.AUTO);
      case CHANNEL -> UpcallBehaviour.small(DiskKind.CHANNEL);
      case THREADS -> UpcallBehaviour.small(DiskKind.AUTO).withEngine(Engine.THREADS);
    };
  }
}
