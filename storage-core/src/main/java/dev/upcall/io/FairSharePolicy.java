package dev.upcall.io;

import dev.upcall.fsm.Invariants;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Classes with shares: when the device is full, each waiting class gets service in proportion to
 * its weight, measured in blocks, so that none starves; the log has places of its own; the
 * background is kept shallow while others want the device.
 *
 * <p>Fair queueing by virtual time: a class's clock advances by cost over weight with each request
 * it sends, and the class that is furthest behind is next. A class that was idle starts at the
 * present virtual time: it has no claim on the past.
 */
public final class FairSharePolicy implements SchedulingPolicy {
  /** Makes whole numbers of cost over weight. */
  private static final long SCALE = 1_000_000;

  private final FairShareConfig config;
  private final Share[] shares;
  private long virtualTime;
  private int waiting;

  /** A policy with nothing in it. */
  public FairSharePolicy(FairShareConfig config) {
    this.config = config;
    IoClass[] classes = IoClass.values();
    this.shares = new Share[classes.length];
    for (IoClass ioClass : classes) {
      shares[ioClass.ordinal()] = new Share(weight(ioClass));
    }
  }

  private static final class Share {
    private final ArrayDeque<DiskRequest> queue = new ArrayDeque<>();
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
  public void add(DiskRequest request) {
    Share share = share(request.ioClass());
    if (share.queue.isEmpty()) {
      share.clock = Math.max(share.clock, virtualTime);
    }
    share.queue.addLast(request);
    waiting++;
  }

  @Override
  public @Nullable DiskRequest next() {
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
    return send(first);
  }

  @Override
  public void completed(DiskRequest request) {
    Share share = share(request.ioClass());
    share.inFlight--;
    Invariants.check(share.inFlight >= 0, "more completed than sent", share.inFlight);
  }

  @Override
  public int waiting() {
    return waiting;
  }

  /** Those that share the common depth, in the order that decides between equals. */
  private static final IoClass[] CONTENDERS = {
    IoClass.FOREGROUND_READ, IoClass.FOREGROUND_WRITE, IoClass.BACKGROUND
  };

  private DiskRequest send(Share share) {
    DiskRequest request = share.queue.removeFirst();
    long cost = costBlocks(request) + config.requestCostBlocks();
    share.clock += Math.max(1, cost) * SCALE / share.weight;
    share.inFlight++;
    waiting--;
    return request;
  }

  /** What moves no data costs as much as the largest transfer, however long its range is. */
  private static long costBlocks(DiskRequest request) {
    return Math.min(DiskRules.blocks(request), Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES);
  }

  private boolean hasRoom(IoClass ioClass, Share share) {
    if (ioClass != IoClass.BACKGROUND || share.inFlight < config.backgroundDepth()) {
      return true;
    }
    return !share(IoClass.FOREGROUND_READ).busy()
        && !share(IoClass.FOREGROUND_WRITE).busy()
        && !share(IoClass.LOG).busy();
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
      case FOREGROUND_READ -> config.readWeight();
      case LOG -> 1;
      case FOREGROUND_WRITE -> config.writeWeight();
      case BACKGROUND -> config.backgroundWeight();
    };
  }
}
