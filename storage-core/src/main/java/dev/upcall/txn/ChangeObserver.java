package dev.upcall.txn;

import java.util.List;

/** Hears of every change of a store, in their order; see {@link Store#observe}. */
@FunctionalInterface
public interface ChangeObserver {
  /**
   * A change is applied, and whoever looks from here on sees it; it may not be durable yet. Called
   * in the upcall that applied it, or by an engine's thread while nobody else looks: it must
   * neither wait nor ask the store anything.
   *
   * @param scn its commit sequence number
   * @param entries what became of names and inodes: each at most once, names first, and by key.
   *     Never empty
   */
  void applied(long scn, List<EntryChange> entries);
}
