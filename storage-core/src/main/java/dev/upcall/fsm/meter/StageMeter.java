package dev.upcall.fsm.meter;

import dev.upcall.base.Clock;
import dev.upcall.config.Limits;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the stages of an application's requests out of the flight recorder of the store that
 * serves them, and sums them up ({@link StageTimes}). Off until {@link #stampEvery} is called; then
 * a request costs one comparison, and no memory. A store that records nothing has no stages.
 *
 * <p>Used by the application's one thread, which is another one than the recorder's.
 */
public final class StageMeter {
  /** Requests that have ended are looked up together, unless the recorder would forget them. */
  private static final int GATHERED = 64;

  /** More requests than that cannot be under way; what is left over was another meter's. */
  private static final int UNDER_WAY_MAX = 1 << 14;

  private static final int COPIED = 128;

  private final Clock clock;
  private final RecordRing ring;
  private final Map<Long, StageStamps> underWay = new LinkedHashMap<>();
  private final List<Sample> ended = new ArrayList<>();
  private final ByteBuffer copy = ByteBuffer.allocate(COPIED * RecordRing.RECORD_BYTES);
  private StageSums sums = new StageSums();
  private long next;
  private int every;
  private int left;

  /** A meter that is off, of requests that are recorded there. */
  public StageMeter(Clock clock, RecordRing ring) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.ring = Objects.requireNonNull(ring, "ring");
  }

  /** A request that is looked at. Handed over with the request and with its completion. */
  public static final class Sample {
    private final long issuedNanos;
    private long handledNanos;
    private long request;

    private Sample(long issuedNanos) {
      this.issuedNanos = issuedNanos;
    }

    /** The store takes it in; the id under which its stages are recorded. */
    public void begun(long id) {
      request = id;
    }

    /** The id that {@link #begun} was told. */
    public long request() {
      return request;
    }
  }

  /**
   * Forgets what was collected and looks from now on at every request (1), at every so many-th, or
   * at none (0). What is on its way still comes in.
   */
  public void stampEvery(int requests) {
    Limits.atLeast("stamped requests", requests, 0);
    gather();
    every = requests;
    left = requests;
    sums = new StageSums();
  }

  /** A request is issued: null if it is not looked at. */
  public @Nullable Sample issued() {
    if (every == 0 || --left > 0) {
      return null;
    }
    left = every;
    return new Sample(clock.monotonicNanos());
  }

  /** The application handles the completion. */
  public void handled(Sample sample) {
    Objects.requireNonNull(sample, "sample");
    sample.handledNanos = clock.monotonicNanos();
    ended.add(sample);
    if (ended.size() == GATHERED || ring.published() - next > ring.kept() / 4) {
      gather();
    }
  }

  /** What was collected since {@link #stampEvery}. */
  public StageTimes times() {
    gather();
    return sums.times();
  }

  private void gather() {
    long end = ring.published();
    while (next < end) {
      next = ring.copySince(next, copy.clear());
      for (int at = 0; at < copy.position(); at += RecordRing.RECORD_BYTES) {
        FlightRecord record = FlightRecord.read(copy, at);
        if (record.kind() == RecordKind.STAGE) {
          underWay
              .computeIfAbsent(record.request(), _ -> new StageStamps())
              .stamp(record.stage(), record.atNanos());
        }
      }
    }
    for (Sample sample : ended) {
      StageStamps stamps = underWay.remove(sample.request);
      sums.add(
          stamps == null ? new StageStamps() : stamps, sample.issuedNanos, sample.handledNanos);
    }
    ended.clear();
    if (underWay.size() > UNDER_WAY_MAX) {
      underWay.clear();
    }
  }
}
