package dev.upcall.fileman.trees;

import dev.upcall.Listing;
import dev.upcall.fileman.trees.host.StoppedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Lists directories of a store before somebody needs them, on a thread of its own, so that the
 * store and the host are looked at side by side. What was asked for and is not needed is forgotten.
 * One thread asks; must be closed.
 */
final class StoreLookAhead implements AutoCloseable {
  private static final int PAGE_ENTRIES = 1024;

  /** Pages that were asked for and not yet taken: one for each level of a deep tree, or so. */
  private static final int MAX_PAGES = 8;

  private final Lister lister;
  private final ExecutorService looking =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("import look").factory());
  private final Map<Page, Future<Listing>> asked = new LinkedHashMap<>();

  /** A page of a directory, from behind a name on. */
  private record Page(String directory, String after) {}

  /** Lists a page of a directory. */
  interface Lister {
    Listing list(String directory, String after, int limit);
  }

  StoreLookAhead(Lister lister) {
    this.lister = lister;
  }

  /** Has a page listed that will be needed soon. */
  void ask(String directory, String after) {
    Page page = new Page(directory, after);
    if (!asked.containsKey(page)) {
      if (asked.size() == MAX_PAGES) {
        asked.remove(asked.keySet().iterator().next());
      }
      try {
        asked.put(page, looking.submit(() -> lister.list(directory, after, PAGE_ENTRIES)));
      } catch (OutOfMemoryError noThread) {
        // Whoever needs the page lists it then.
        return;
      }
    }
  }

  /** A page, whether it was asked for or not; waits for it. Fails as the store does. */
  Listing take(String directory, String after) {
    Future<Listing> coming = asked.remove(new Page(directory, after));
    if (coming == null) {
      return lister.list(directory, after, PAGE_ENTRIES);
    }
    try {
      return coming.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    }
  }

  /** Returns when nothing is asked of the store any more. */
  @Override
  public void close() {
    looking.close();
  }
}
