package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCounters;
import java.util.HashMap;
import java.util.Map;

/**
 * What the clients of one address have of a server: connections, and uploads under way, of which
 * further ones wait in a line of their own ({@link Admission}). Dispatcher's thread only.
 */
final class AddressShares {
  private final Dispatcher dispatcher;
  private final HttpConfig config;
  private final HttpCounters counters;
  private final Map<String, Share> shares = new HashMap<>();

  AddressShares(Dispatcher dispatcher, HttpConfig config, HttpCounters counters) {
    this.dispatcher = dispatcher;
    this.config = config;
    this.counters = counters;
  }

  /** The connections of one address. */
  final class Share {
    private final String address;
    private final Admission uploads;
    private int connections;

    private Share(String address) {
      this.address = address;
      this.uploads = new Admission(dispatcher, config.admission().ofUploads(), counters);
    }

    /** Whether it has more connections than it may. */
    boolean isExceeded() {
      return connections > config.connections().maxOfAddress();
    }

    /** A connection's place among the uploads; see {@link Admission#turn}. */
    Admission.Turn upload(Runnable upcall) {
      return uploads.turn(upcall);
    }

    /** A connection has ended. */
    void leave() {
      connections--;
      Invariants.check(connections >= 0, "more connections left than came", address);
      if (connections == 0) {
        shares.remove(address);
      }
    }
  }

  /** Counts a connection, which {@link Share#leave leaves} when it ends. */
  Share enter(String address) {
    Share share = shares.computeIfAbsent(address, Share::new);
    share.connections++;
    return share;
  }

  /** Whether nobody is here. */
  boolean isEmpty() {
    return shares.isEmpty();
  }
}
