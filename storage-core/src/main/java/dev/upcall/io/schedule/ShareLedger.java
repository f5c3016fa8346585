package dev.upcall.io.schedule;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What each class has had of the device, and which may go next: when the device is full, each
 * waiting class gets service in proportion to its weight, so that none starves; the log has places
 * of its own; read-ahead and background are kept shallow while others want the device, and the
 * background is paced while others read ({@link Pacing}). The requests themselves wait in the
 * policy.
 *
 * <p>Fair queueing by virtual time: a class's clock advances by cost over weight with each request
 * it sends, and the class that is furthest behind is next. A class that was idle starts at the
 * present virtual time: it has no claim on the past.
 */
final class ShareLedger {
  /** Makes whole numbers of cost over weight. */
  private static final long SCALE = 1_000_000;

  /** Those that share the common depth, in the order that decides between equals. */
  private static final IoClass[] CONTENDERS = {
    IoClass.FOREGROUND_READ, IoClass.FOREGROUND_WRITE, IoClass.READ_AHEAD, IoClass.BACKGROUND
  };

  private final FairShareConfig config;
  private final LongSupplier nowNanos;
  private final Share[] shares;
  private final Pacing pacing;
  private long virtualTime;
  private int waiting;

  /**
   * Nobody has had anything.
   *
   * @param nowNanos the monotonic time of the present upcall
   */
  ShareLedger(FairShareConfig config, LongSupplier nowNanos) {
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
    private final long weight;
    private long clock;
    private int waiting;
    private int inFlight;

    private Share(long weight) {
      this.weight = weight;
    }

    private boolean busy() {
      return inFlight > 0 || waiting > 0;
    }
  }

  /** A request of a class waits from now on. */
  void comes(IoClass ioClass) {
    if (ioClass == IoClass.FOREGROUND_READ || ioClass == IoClass.READ_AHEAD) {
      pacing.readSeen(nowNanos.getAsLong());
    }
    Share share = share(ioClass);
    if (share.waiting == 0) {
      share.clock = Math.max(share.clock, virtualTime);
    }
    share.waiting++;
    waiting++;
  }

  /** A request of a class waits no more, and does not go either: it comes again as another's. */
  void leaves(IoClass ioClass) {
    share(ioClass).waiting--;
    waiting--;
  }

  /** The class whose turn it is; null if what waits shall go on waiting. */
  @Nullable IoClass next() {
    if (waiting == 0) {
      return null;
    }
    return logMayGo() ? IoClass.LOG : nextContender();
  }

  /** Whether the log has something that may go at once. */
  boolean logMayGo() {
    Share log = share(IoClass.LOG);
    return log.inFlight < config.logDepth() && log.waiting > 0;
  }

  private @Nullable IoClass nextContender() {
    if (othersInFlight() >= config.depth()) {
      return null;
    }
    IoClass first = null;
    for (IoClass ioClass : CONTENDERS) {
      if (isReady(ioClass) && (first == null || share(ioClass).clock < share(first).clock)) {
        first = ioClass;
      }
    }
    if (first != null) {
      virtualTime = share(first).clock;
    }
    return first;
  }

  /** Whether one more of those that share the common depth may go at all. */
  boolean hasDepth() {
    return othersInFlight() < config.depth();
  }

  /** Whether a class has something that may go beside what is in flight. */
  boolean isReady(IoClass ioClass) {
    Share share = share(ioClass);
    return share.waiting > 0 && hasRoom(ioClass, share);
  }

  /**
   * One goes to the device.
   *
   * @param extraBlocks what it costs beside the blocks that it moves, in blocks
   */
  void sent(Dispatch dispatch, long extraBlocks) {
    IoClass ioClass = dispatch.ioClass();
    if (ioClass == IoClass.BACKGROUND) {
      pacing.sent(nowNanos.getAsLong());
    }
    Share share = share(ioClass);
    share.clock += Math.max(1, costBlocks(dispatch) + extraBlocks) * SCALE / share.weight;
    share.inFlight++;
    share.waiting--;
    waiting--;
  }

  /** One that was sent has completed. */
  void completed(IoClass ioClass) {
    Share share = share(ioClass);
    share.inFlight--;
    Invariants.check(share.inFlight >= 0, "more completed than sent", share.inFlight);
    if (ioClass == IoClass.BACKGROUND) {
      pacing.completed(nowNanos.getAsLong());
    }
  }

  /** After so long the background has rested; {@code Long.MAX_VALUE} if that changes nothing. */
  long pauseNanos() {
    Share background = share(IoClass.BACKGROUND);
    boolean onlyRests = background.inFlight == 0 && background.waiting > 0;
    long rest = onlyRests ? pacing.restNanos(nowNanos.getAsLong()) : 0;
    return rest > 0 ? rest : Long.MAX_VALUE;
  }

  int waiting() {
    return waiting;
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
