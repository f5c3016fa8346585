package dev.upcall.cli.admin;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.threads.files.ThreadUpcall;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The admin pages of a store that threads serve, for callers that wait. Nothing else here, and no
 * command that serves another store, needs the classes of that engine.
 */
public final class ThreadPages {
  private ThreadPages() {}

  /**
   * Answers on any thread; the pages live where the machines do.
   *
   * @param store of an engine of threads
   * @param http the counts of its server
   * @param stopping whether it was asked to stop
   */
  public static Function<StorePath, Completion<GeneratedResponse>> of(
      Upcall store, Supplier<HttpMetrics> http, BooleanSupplier stopping) {
    ThreadUpcall threads = (ThreadUpcall) store;
    Completion<LimitsPage> made =
        threads.amongMachines(
            (files, port) -> {
              AdminPages pages = AdminPages.ofThreads(files, http, threads::lockWaits, stopping);
              LimitsPage all = new LimitsPage(pages, files, store.config());
              files.dispatcher().complete(port, Completion.done(all));
            });
    LimitsPage pages = UpcallException.value(made);
    return path -> threads.amongMachines((files, port) -> pages.answer(path, port));
  }
}
