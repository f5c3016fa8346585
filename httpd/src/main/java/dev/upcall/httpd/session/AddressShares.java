package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCounters;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one address have of a server: connections, and uploads under way, of which
 * further ones wait in a line of their own ({@link Admission}). Dispatcher's thread only.
 *
 * <p>Whose a connection is, is asked for when it matters: when it uploads, or when there are so
 * many that one address may soon have too many. Most connections end before.
 */
final class AddressShares {
  /** So many may be nobody's yet, if one address may have twice as many. */
  private static final int MAX_UNASKED = 100;

  private final Dispatcher dispatcher;
  private final HttpConfig config;
  private final HttpCounters counters;
  private final Map<String, Share> shares = new HashMap<>();
  private final SequencedSet<Place> unasked = new LinkedHashSet<>();
  private final int maxUnasked;

  AddressShares(Dispatcher dispatcher, HttpConfig config, HttpCounters counters) {
    this.dispatcher = dispatcher;
    this.config = config;
    this.counters = counters;
    this.maxUnasked = Math.min(MAX_UNASKED, config.connections().maxOfAddress() / 2);
  }

  /** The connections of one address. */
  private final class Share {
    private final String address;
    private final Admission uploads;
    private int connections;

    private Share(String address) {
      this.address = address;
      this.uploads = new Admission(dispatcher, config.admission().ofUploads(), counters);
    }

    private void leave() {
      connections--;
      Invariants.check(connections >= 0, "more connections left than came", address);
      if (connections == 0) {
        shares.remove(address);
      }
    }
  }

  /** A connection's place among those of its address, and among their uploads. */
  final class Place {
    private final Connection connection;
    private final Runnable uploadIsLetIn;
    private @Nullable String client; // for which a proxy asks
    private @Nullable Share share;
    private Admission.@Nullable Turn upload;

    private Place(Connection connection, Runnable uploadIsLetIn) {
      this.connection = connection;
      this.uploadIsLetIn = uploadIsLetIn;
    }

    /** What its address has, of which it is one from now on. */
    private Share share() {
      Share found = share;
      if (found == null) {
        unasked.remove(this);
        String address = client == null ? connection.address() : client;
        found = shares.computeIfAbsent(address, Share::new);
        found.connections++;
        share = found;
      }
      return found;
    }

    /**
     * Whether its address has more connections than it may. Asked once for each connection, which
     * also asks for another one when there are many: so all are counted before one is too many.
     *
     * @param connections how many there are, this one among them
     */
    boolean isOneTooMany(int connections) {
      if (connections <= maxUnasked) {
        return false;
      }
      Share mine = share();
      if (!unasked.isEmpty()) {
        unasked.getFirst().share();
      }
      return mine.connections > config.connections().maxOfAddress();
    }

    /** The address that has it. */
    String address() {
      return share().address;
    }

    /** Its turn among the uploads of its address; see {@link Admission#turn}. */
    Admission.Turn upload() {
      Admission.Turn found = upload;
      if (found == null) {
        found = share().uploads.turn(uploadIsLetIn);
        upload = found;
      }
      return found;
    }

    /** A proxy asks for this client now, and has no upload under way. */
    void comesFrom(String address) {
      if (!address.equals(client)) {
        client = address;
        upload = null;
        if (share != null) {
          share.leave();
          share = null;
          unasked.add(this);
        }
      }
    }

    /** Whether it waits for its turn. */
    boolean isWaiting() {
      return upload != null && upload.isWaiting();
    }

    /** Whether it has waited for as long as one may. */
    boolean isLate(long nowNanos) {
      return upload != null && upload.isLate(nowNanos);
    }

    /** It uploads no more, and waits no more. */
    void endUpload() {
      if (upload != null) {
        upload.moved(/* inside= */ false);
      }
    }

    /** The connection has ended. */
    void leave() {
      endUpload();
      if (share == null) {
        unasked.remove(this);
      } else {
        share.leave();
      }
    }
  }

  /**
   * A place for a new connection, which {@link Place#leave leaves} it when it ends.
   *
   * @param uploadIsLetIn as of {@link Admission#turn}
   */
  Place place(Connection connection, Runnable uploadIsLetIn) {
    Place place = new Place(connection, uploadIsLetIn);
    unasked.add(place);
    return place;
  }

  /** Whether nobody is here. */
  boolean isEmpty() {
    return shares.isEmpty() && unasked.isEmpty();
  }
}
