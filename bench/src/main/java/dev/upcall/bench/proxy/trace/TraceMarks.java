package dev.upcall.bench.proxy.trace;

import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.Segments;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The marks of a trace, measured on its requests.
 *
 * @param hits what an infinite cache finds
 * @param sizes how large what is asked for is
 * @param crossing what crosses a page when small objects are packed one behind the other
 * @param locality how servers and objects come in time
 */
public record TraceMarks(Hits hits, Sizes sizes, Crossing crossing, Locality locality) {
  private static final int RECENT_HOSTS = 8;

  /** The paper leaves out the first 100,000 requests of day 2; here it is that part of the day. */
  private static final double LEFT_OUT = 100_000.0 / 495_664;

  /** Objects asked for less often scatter too much to say anything of the exponent. */
  private static final int LEAST_COUNT = 16;

  /** Ranks from which the exponent is fitted are that far apart. */
  private static final double RANK_STEP = 1.1;

  private static final int POPULAR = 1_000;
  private static final int EARLY_PART = 10;
  private static final int[] REFERENCE_SIZES = {256, 512, 1024, 2048, 4096, 8192, 16384, 65536};

  /**
   * Hits of an infinite cache.
   *
   * @param secondDay share of the requests of day 2
   * @param bothDays share of all requests
   * @param distinct how many objects were asked for
   * @param once the share of those that were asked for once
   * @param distinctBytes what they hold together
   */
  public record Hits(
      double secondDay, double bothDays, int distinct, double once, long distinctBytes) {}

  /**
   * Sizes.
   *
   * @param smallReferences the share of requests for objects up to 8 KB
   * @param smallRequests how many these are
   * @param smallFirstDay and how many on day 1
   * @param classes the share of each segment class among small objects
   * @param steps the share of requests up to some sizes (figure 1)
   */
  public record Sizes(
      double smallReferences,
      int smallRequests,
      int smallFirstDay,
      List<Double> classes,
      List<Step> steps) {}

  /** A point of a cumulative distribution. */
  public record Step(double at, double share) {}

  /**
   * Objects that cross a page without alignment.
   *
   * @param objects the share of small objects
   * @param hits the share of hits on small objects on day 2
   */
  public record Crossing(double objects, double hits) {}

  /**
   * Order in time.
   *
   * @param recentHosts the share of requests for one of the 8 servers asked most recently
   * @param shuffledHosts the same of the same requests in random order
   * @param stack the share by the number of servers (figure 2)
   * @param alpha the exponent of popularity
   * @param popularEarly the share of the 1,000 most popular objects that the first tenth of day 1
   *     has asked for
   */
  public record Locality(
      double recentHosts,
      double shuffledHosts,
      List<Step> stack,
      double alpha,
      double popularEarly) {}

  /** Measures a trace. */
  public static TraceMarks of(RequestTrace trace) {
    int[] counts = new int[trace.objects()];
    for (int i = 0; i < trace.length(); i++) {
      counts[trace.object(i)]++;
    }
    return new TraceMarks(
        hits(trace, counts), sizes(trace, counts), crossing(trace), locality(trace, counts));
  }

  private static Hits hits(RequestTrace trace, int[] counts) {
    boolean[] seen = new boolean[trace.objects()];
    int second = 0;
    int both = 0;
    for (int i = 0; i < trace.length(); i++) {
      if (seen[trace.object(i)]) {
        both++;
        second += i < trace.firstDay() ? 0 : 1;
      }
      seen[trace.object(i)] = true;
    }
    int distinct = 0;
    int once = 0;
    long bytes = 0;
    for (int object = 0; object < counts.length; object++) {
      if (counts[object] > 0) {
        distinct++;
        once += counts[object] == 1 ? 1 : 0;
        bytes += trace.sizeBytes(object);
      }
    }
    return new Hits(
        share(second, trace.length() - trace.firstDay()),
        share(both, trace.length()),
        distinct,
        share(once, distinct),
        bytes);
  }

  private static Sizes sizes(RequestTrace trace, int[] counts) {
    int small = 0;
    int smallFirst = 0;
    int[] steps = new int[REFERENCE_SIZES.length];
    for (int i = 0; i < trace.length(); i++) {
      int size = trace.sizeBytes(trace.object(i));
      if (Segments.isSmall(size)) {
        small++;
        smallFirst += i < trace.firstDay() ? 1 : 0;
      }
      for (int step = 0; step < steps.length; step++) {
        steps[step] += size <= REFERENCE_SIZES[step] ? 1 : 0;
      }
    }
    int[] classes = new int[Segments.CLASSES];
    for (int object = 0; object < counts.length; object++) {
      if (counts[object] > 0 && Segments.isSmall(trace.sizeBytes(object))) {
        classes[Segments.classOf(trace.sizeBytes(object))]++;
      }
    }
    int objects = Arrays.stream(classes).sum();
    List<Step> figure =
        java.util.stream.IntStream.range(0, steps.length)
            .mapToObj(i -> new Step(REFERENCE_SIZES[i], share(steps[i], trace.length())))
            .toList();
    return new Sizes(
        share(small, trace.length()),
        small,
        smallFirst,
        Arrays.stream(classes).mapToObj(count -> share(count, objects)).toList(),
        figure);
  }

  private static Crossing crossing(RequestTrace trace) {
    Packing.Plain packing = new Packing.Plain();
    byte[] crosses = new byte[trace.objects()];
    int objects = 0;
    int crossing = 0;
    int hits = 0;
    int crossingHits = 0;
    for (int i = 0; i < trace.length(); i++) {
      int object = trace.object(i);
      if (!Segments.isSmall(trace.sizeBytes(object))) {
        continue;
      }
      if (crosses[object] == 0) {
        int segmentClass = Segments.classOf(trace.sizeBytes(object));
        boolean does = Packing.Plain.crosses(packing.place(segmentClass), segmentClass);
        crosses[object] = (byte) (does ? 1 : -1);
        objects++;
        crossing += does ? 1 : 0;
      } else if (i >= trace.firstDay()) {
        hits++;
        crossingHits += crosses[object] > 0 ? 1 : 0;
      }
    }
    return new Crossing(share(crossing, objects), share(crossingHits, hits));
  }

  private static Locality locality(RequestTrace trace, int[] counts) {
    int from = trace.firstDay() + (int) Math.round(LEFT_OUT * (trace.length() - trace.firstDay()));
    int[] hosts = new int[trace.length() - from];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = trace.host(trace.object(from + i));
    }
    StackDistances inOrder = StackDistances.of(hosts, trace.hosts());
    List<Step> stack =
        java.util.stream.IntStream.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096)
            .mapToObj(most -> new Step(most, inOrder.shareWithin(most)))
            .toList();
    shuffle(hosts);
    return new Locality(
        inOrder.shareWithin(RECENT_HOSTS),
        StackDistances.of(hosts, trace.hosts()).shareWithin(RECENT_HOSTS),
        stack,
        alpha(counts),
        popularEarly(trace, counts));
  }

  private static void shuffle(int[] of) {
    SplittableRandom random = new SplittableRandom(of.length);
    for (int i = of.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = of[i];
      of[i] = of[other];
      of[other] = kept;
    }
  }

  /** The slope of a straight line through count by rank, both logarithmic. */
  private static double alpha(int[] counts) {
    int[] sorted = counts.clone();
    Arrays.sort(sorted);
    double n = 0;
    double sumX = 0;
    double sumY = 0;
    double sumXx = 0;
    double sumXy = 0;
    for (double at = 1; at <= sorted.length; at = Math.max(at + 1, Math.floor(at * RANK_STEP))) {
      int count = sorted[sorted.length - (int) at];
      if (count < LEAST_COUNT) {
        break;
      }
      double x = Math.log(at);
      double y = Math.log(count);
      n++;
      sumX += x;
      sumY += y;
      sumXx += x * x;
      sumXy += x * y;
    }
    return -(n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
  }

  private static double popularEarly(RequestTrace trace, int[] counts) {
    boolean[] early = new boolean[counts.length];
    for (int i = 0; i < trace.firstDay() / EARLY_PART; i++) {
      early[trace.object(i)] = true;
    }
    int[] sorted = counts.clone();
    Arrays.sort(sorted);
    int least = sorted[Math.max(0, sorted.length - POPULAR)];
    int popular = 0;
    int found = 0;
    for (int object = 0; object < counts.length; object++) {
      if (counts[object] >= Math.max(1, least)) {
        popular++;
        found += early[object] ? 1 : 0;
      }
    }
    return share(found, popular);
  }

  private static double share(long some, long all) {
    return all == 0 ? 0 : (double) some / all;
  }
}
