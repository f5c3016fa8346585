package dev.upcall.sim.store;

import dev.upcall.sim.store.model.SimModel;
import dev.upcall.txn.Store;
import java.util.SplittableRandom;

/** Clients that run transactions. */
final class SimTransactions {
  private final SimClients clients;
  private final Store store;
  private final SimModel model;
  private final SimClients.Means means;
  private final SplittableRandom random;

  SimTransactions(
      SimClients clients,
      Store store,
      SimModel model,
      SimClients.Means means,
      SplittableRandom random) {
    this.clients = clients;
    this.store = store;
    this.model = model;
    this.means = means;
    this.random = random;
  }

  /** Begins a transaction and sees it to its end, or forgets it. */
  void run(Runnable over) {
    new SimTransaction(clients, store, model, means, random, over).begin();
  }
}
