package dev.upcall.fileman.blocking;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;

/** The whole structure of an open store, walked, with all content. */
public final class Verified {
  private Verified() {}

  /** The findings, with any engine. */
  public static VerifyReport of(Upcall store) {
    return UpcallException.value(
        ((EngineUpcall) store)
            .amongMachines(
                (files, port) ->
                    files.store().verify(new VerifyOptions(true), (_, _) -> true, port)));
  }
}
