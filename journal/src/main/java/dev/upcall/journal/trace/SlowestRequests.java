package dev.upcall.journal.trace;

import dev.upcall.journal.trace.Requests.Finished;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** How long the requests of each verb took, and which took longest. */
public final class SlowestRequests {
  private static final Comparator<Finished> BY_TIME =
      Comparator.comparingLong(Finished::tookNanos).thenComparingLong(Finished::request);

  private final int most;
  private final Map<Integer, Verb> verbs = new TreeMap<>();

  /** The requests of one verb. */
  public static final class Verb {
    private final int name;
    private final Spread spread = new Spread();
    private final PriorityQueue<Finished> slowest = new PriorityQueue<>(BY_TIME);

    private Verb(int name) {
      this.name = name;
    }

    /** The number of its name. */
    public int name() {
      return name;
    }

    /** How long they took. */
    public Spread spread() {
      return spread;
    }

    /** The slowest, the slowest of all first. */
    public List<Finished> slowest() {
      List<Finished> sorted = new ArrayList<>(slowest);
      sorted.sort(BY_TIME.reversed());
      return sorted;
    }

    private void add(Finished one, int most) {
      spread.add(one.tookNanos());
      slowest.add(one);
      if (slowest.size() > most) {
        slowest.remove();
      }
    }
  }

  private SlowestRequests(int most) {
    this.most = most;
  }

  /**
   * Looks at all records.
   *
   * @param most how many of each verb are kept
   * @return by their whole time, the largest first
   */
  public static List<Verb> of(TraceSource.Cursor records, int most) throws IOException {
    SlowestRequests found = new SlowestRequests(most);
    Requests requests = new Requests(found::add);
    records.read(requests);
    List<Verb> sorted = new ArrayList<>(found.verbs.values());
    sorted.sort(Comparator.comparingLong((Verb verb) -> verb.spread().sumNanos()).reversed());
    return sorted;
  }

  private void add(Finished one) {
    verbs.computeIfAbsent(one.verb(), Verb::new).add(one, most);
  }
}
