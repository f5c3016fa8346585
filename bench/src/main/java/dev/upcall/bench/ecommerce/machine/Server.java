package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;

/**
 * What serves clients: processors, pages, and a log that makes changes last. Dispatcher's thread
 * only.
 */
public interface Server {
  /** Whose thread and time it is. */
  Dispatcher dispatcher();

  /** Those who are served. */
  Clientele clientele();

  /** What an interaction comes through before it has pages. */
  Front front();

  /**
   * A page is wanted.
   *
   * @param then runs when it is there; not if this is true
   * @return whether it is in memory
   */
  boolean read(long page, Reader reader, Runnable then);

  /** A page that is in memory, or that nobody has read, has changed. */
  void change(long page);

  /**
   * An interaction has changed something and ends.
   *
   * @param bytes that describe its changes
   * @param then runs when the server says that they are done
   */
  void commit(int bytes, Runnable then);
}
