package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.ProcessCpu;
import java.io.IOException;
import java.util.List;

/**
 * A pair of servers on one store, and clients that go on asking. Each sample has the one that
 * serves hand over to the other one, and is the longest wait of a client meanwhile.
 */
public final class HandoverEntrant implements Running {
  /** Requests of each client behind a handover that belong to its sample. */
  private static final int AFTERWARDS = 10;

  private final Lab lab;
  private final ServerPair pair;
  private final HandoverClients clients;

  private HandoverEntrant(Lab lab, ServerPair pair) {
    this.lab = lab;
    this.pair = pair;
    this.clients = new HandoverClients(pair.port());
  }

  /** Makes the store, fills its log, and starts both and the clients. */
  public static Running start(Lab lab, RecoveryEntrant.Store store)
      throws IOException, InterruptedException {
    RecoveryEntrant.crashed(lab, store, "create");
    return new HandoverEntrant(lab, ServerPair.start(lab, store.volume()));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    Child next = pair.ready();
    clients.awaitAnswers(AFTERWARDS);
    clients.longestNanos(); // up to here
    double cpu = ProcessCpu.seconds(next.pid());
    List<String> arguments = List.of("handover", pair.volume().toString(), "--json");
    Child asked = lab.start("upcall handover", lab.java("dev.upcall.cli.Main", arguments));
    try {
      pair.note(asked.finish(ServerPair.WAIT_SECONDS), List.of());
    } finally {
      lab.end(asked);
    }
    pair.note(pair.changed(), List.of("waited"));
    double used = ProcessCpu.seconds(next.pid()) - cpu;
    clients.awaitAnswers(AFTERWARDS);
    double seconds = clients.longestNanos() / 1e9;
    pair.note(seconds * 1e3);
    return Sample.of(1, seconds, used);
  }

  @Override
  public String note() {
    return "%s; %s".formatted(clients.summary(), pair.summary());
  }

  @Override
  public void close() {
    clients.close();
    pair.close();
  }
}
