package dev.upcall.bench.proxy.trace;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws a trace. Requests are independent draws by popularity; then, window by window, those for
 * one server are put together into bursts, and eight clients work bursts off side by side. So each
 * object is asked for exactly as often as the draws say, and servers come in clusters of time.
 */
public final class TraceDraw {
  /** An object's folder is the number of the burst that first asked for it, modulo this. */
  static final int FOLDERS = 50;

  private static final double HOST_ALPHA = 0.8;
  private static final int WINDOW = 20_000;
  private static final double MEAN_BURST = 8;
  private static final int CLIENTS = 8;
  private static final int DRIFT_EVERY = 50_000;

  /** One object in so many changes its rank when popularity drifts. */
  private static final int DRIFT_PART = 100;

  private static final byte NO_FOLDER = -1;

  private final TraceConfig config;
  private final int[] sizes;
  private final int[] hosts;
  private final byte[] folders;
  private final int[] bursts;
  private final int[] requests;
  private int drawn;

  private TraceDraw(TraceConfig config) {
    this.config = config;
    int objects = config.popularity().objects();
    this.sizes = new int[objects];
    this.hosts = new int[objects];
    this.folders = new byte[objects];
    this.bursts = new int[config.hosts()];
    this.requests = new int[config.days().first() + config.days().second()];
    Arrays.fill(folders, NO_FOLDER);
  }

  /** The trace of a configuration: the same one on every machine. */
  public static RequestTrace draw(TraceConfig config) {
    return new TraceDraw(config).draw();
  }

  private RequestTrace draw() {
    SplittableRandom random = new SplittableRandom(config.seed());
    drawObjects(random.split(), random.split());
    SplittableRandom ordering = random.split();
    drawRequests(random.split(), random.split());
    int firstDay = config.days().first();
    for (int from = 0; from < requests.length; ) {
      int dayEnd = from < firstDay ? firstDay : requests.length;
      int to = Math.min(from + WINDOW, dayEnd);
      reorder(from, to, ordering);
      from = to;
    }
    return new RequestTrace(
        requests, firstDay, new RequestTrace.Objects(sizes, hosts, config.hosts(), folders));
  }

  private void drawObjects(SplittableRandom forSizes, SplittableRandom forHosts) {
    WeightedDraw host = new WeightedDraw(config.hosts(), HOST_ALPHA);
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = ObjectSizes.draw(forSizes);
      hosts[i] = host.draw(forHosts);
    }
  }

  private void drawRequests(SplittableRandom forRanks, SplittableRandom forDrift) {
    WeightedDraw rank = new WeightedDraw(sizes.length, config.popularity().alpha());
    int[] ofRank = new int[sizes.length];
    Arrays.setAll(ofRank, i -> i);
    for (int i = 0; i < requests.length; i++) {
      if (config.drifts() && i > 0 && i % DRIFT_EVERY == 0) {
        drift(ofRank, forDrift);
      }
      requests[i] = ofRank[rank.draw(forRanks)];
    }
  }

  /** Exchanges the ranks of one object in a hundred, two at a time. */
  private static void drift(int[] ofRank, SplittableRandom random) {
    for (int i = 0; i < ofRank.length / DRIFT_PART / 2; i++) {
      swap(ofRank, random.nextInt(ofRank.length), random.nextInt(ofRank.length));
    }
  }

  private static void swap(int[] of, int one, int other) {
    int kept = of[one];
    of[one] = of[other];
    of[other] = kept;
  }

  /** Puts the requests of a window into bursts, and emits these client by client. */
  private void reorder(int from, int to, SplittableRandom random) {
    int[] grouped = grouped(from, to);
    int[] begins = new int[grouped.length];
    int[] ends = new int[grouped.length];
    int count = 0;
    for (int at = 0; at < grouped.length; ) {
      int host = hosts[grouped[at]];
      int end = at + 1 + (int) (-MEAN_BURST * StrictMath.log(1 - random.nextDouble()));
      int next = at + 1;
      while (next < Math.min(end, grouped.length) && hosts[grouped[next]] == host) {
        next++;
      }
      begins[count] = at;
      ends[count++] = next;
      at = next;
    }
    for (int i = count - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      swap(begins, i, other);
      swap(ends, i, other);
    }
    emit(grouped, begins, ends, count);
  }

  /**
   * The requests of a window by server, and of one server in the order in which they were drawn.
   */
  private int[] grouped(int from, int to) {
    long[] keys = new long[to - from];
    for (int i = from; i < to; i++) {
      keys[i - from] = ((long) hosts[requests[i]] << Integer.SIZE) | i;
    }
    Arrays.sort(keys);
    int[] grouped = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      grouped[i] = requests[(int) keys[i]];
    }
    return grouped;
  }

  private void emit(int[] grouped, int[] begins, int[] ends, int count) {
    int[] at = new int[CLIENTS];
    int[] end = new int[CLIENTS];
    int next = 0;
    int left = grouped.length;
    while (left > 0) {
      for (int client = 0; client < CLIENTS; client++) {
        if (at[client] == end[client] && next < count) {
          at[client] = begins[next];
          end[client] = ends[next++];
          bursts[hosts[grouped[at[client]]]]++;
        }
        if (at[client] < end[client]) {
          emit(grouped[at[client]++]);
          left--;
        }
      }
    }
  }

  private void emit(int object) {
    requests[drawn++] = object;
    if (folders[object] == NO_FOLDER) {
      folders[object] = (byte) (bursts[hosts[object]] % FOLDERS);
    }
  }
}
