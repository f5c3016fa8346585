package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Classes with shares: when the device is full, each waiting class gets service in proportion to
 * its weight, measured in blocks, so that none starves; the log has places of its own; read-ahead
 * and background are kept shallow while others want the device, and the background is paced while
 * others read ({@link Pacing}).
 *
 * <p>Fair queueing by virtual time: a class's clock advances by cost over weight with each request
 * it sends, and the class that is furthest behind is next. A class that was idle starts at the
 * present virtual time: it has no claim on the past.
 */
public final class FairSharePolicy implements SchedulingPolicy {
  /** Makes whole numbers of cost over weight. */
  private static final long SCALE = 1_000_000;

  private final FairShareConfig config;
  private final LongSupplier nowNanos;
  private final Share[] shares;
  private final Pacing pacing;
  private long virtualTime;
  private int waiting;

  /**
   * A policy with nothing in it.
   *
   * @param nowNanos the monotonic time of the present upcall
   */
  public FairSharePolicy(FairShareConfig config, LongSupplier nowNanos) {
    this.config = config;
    this.nowNanos = nowNanos;
    this.pacing = new Pacing(config.pacing());
    IoClass[] classes = IoClass.values();
    this.shares = new Share[classes.length];
    for (IoClass ioClass : classes) {
      shares[ioClass.ordinal()] = new Share(weight(ioClass));
    }
  }

  private static final class Share {
    private final ArrayDeque<Dispatch> queue = new ArrayDeque<>();
    private final long weight;
    private long clock;
    private int inFlight;

    private Share(long weight) {
      this.weight = weight;
    }

    private boolean busy() {
      return inFlight > 0 || !queue.isEmpty();
    }
  }

  @Override
  public void add(Dispatch dispatch) {
    IoClass ioClass = dispatch.ioClass();
    if (ioClass == IoClass.FOREGROUND_READ || ioClass == IoClass.READ_AHEAD) {
      pacing.readSeen(nowNanos.getAsLong());
    }
    Share share = share(ioClass);
    if (share.queue.isEmpty()) {
      share.clock = Math.max(share.clock, virtualTime);
    }
    share.queue.addLast(dispatch);
    waiting++;
  }

  @Override
  public void lift() {
    ArrayDeque<Dispatch> queue = share(IoClass.BACKGROUND).queue;
    for (Dispatch next = queue.poll(); next != null; next = queue.poll()) {
      waiting--;
      next.lift();
      add(next);
    }
  }

  @Override
  public @Nullable Dispatch next() {
    if (waiting == 0) {
      return null;
    }
    Share log = share(IoClass.LOG);
    if (log.inFlight < config.logDepth() && !log.queue.isEmpty()) {
      return send(log);
    }
    if (othersInFlight() >= config.depth()) {
      return null;
    }
    Share first = null;
    for (IoClass ioClass : CONTENDERS) {
      Share share = share(ioClass);
      boolean ready = !share.queue.isEmpty() && hasRoom(ioClass, share);
      if (ready && (first == null || share.clock < first.clock)) {
        first = share;
      }
    }
    if (first == null) {
      return null;
    }
    virtualTime = first.clock;
    if (first == share(IoClass.BACKGROUND)) {
      pacing.sent(nowNanos.getAsLong());
    }
    return send(first);
  }

  @Override
  public void completed(Dispatch dispatch) {
    IoClass ioClass = dispatch.ioClass();
    Share share = share(ioClass);
    share.inFlight--;
    Invariants.check(share.inFlight >= 0, "more completed than sent", share.inFlight);
    if (ioClass == IoClass.BACKGROUND) {
      pacing.completed(nowNanos.getAsLong());
    }
  }

  @Override
  public long pauseNanos() {
    Share background = share(IoClass.BACKGROUND);
    boolean onlyRests = background.inFlight == 0 && !background.queue.isEmpty();
    long rest = onlyRests ? pacing.restNanos(nowNanos.getAsLong()) : 0;
    return rest > 0 ? rest : Long.MAX_VALUE;
  }

  @Override
  public int waiting() {
    return waiting;
  }

  /** Those that share the common depth, in the order that decides between equals. */
  private static final IoClass[] CONTENDERS = {
    IoClass.FOREGROUND_READ, IoClass.FOREGROUND_WRITE, IoClass.READ_AHEAD, IoClass.BACKGROUND
  };

  private Dispatch send(Share share) {
    Dispatch dispatch = share.queue.removeFirst();
    long cost = costBlocks(dispatch) + config.requestCostBlocks();
    share.clock += Math.max(1, cost) * SCALE / share.weight;
    share.inFlight++;
    waiting--;
    return dispatch;
  }

  /** What moves no data costs as much as the largest transfer, however long its range is. */
  private static long costBlocks(Dispatch dispatch) {
    return Math.min(dispatch.blocks(), Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES);
  }

  private boolean hasRoom(IoClass ioClass, Share share) {
    return switch (ioClass) {
      case FOREGROUND_READ, LOG, FOREGROUND_WRITE -> true;
      case READ_AHEAD -> share.inFlight < config.backgroundDepth() || !isForegroundBusy();
      case BACKGROUND -> {
        long now = nowNanos.getAsLong();
        yield pacing.isOn(now)
            ? share.inFlight == 0 && pacing.restNanos(now) == 0
            : share.inFlight < config.backgroundDepth()
                || !(isForegroundBusy() || share(IoClass.READ_AHEAD).busy());
      }
    };
  }

  private boolean isForegroundBusy() {
    return share(IoClass.FOREGROUND_READ).busy()
        || share(IoClass.FOREGROUND_WRITE).busy()
        || share(IoClass.LOG).busy();
  }

  private int othersInFlight() {
    int sum = 0;
    for (IoClass ioClass : CONTENDERS) {
      sum += share(ioClass).inFlight;
    }
    return sum;
  }

  private Share share(IoClass ioClass) {
    return shares[ioClass.ordinal()];
  }

  private long weight(IoClass ioClass) {
    return switch (ioClass) {
      case FOREGROUND_READ -> config.weights().read();
      case LOG -> 1;
      case FOREGROUND_WRITE -> config.weights().write();
      case READ_AHEAD -> config.weights().readAhead();
      case BACKGROUND -> config.weights().background();
    };
  }
}
