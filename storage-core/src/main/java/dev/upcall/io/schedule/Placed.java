package dev.upcall.io.schedule;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dispatch with a place among the others: which blocks it touches, for whom it waits and who
 * waits for it, and what it is made of.
 */
final class Placed extends Dispatch {
  private final long number;
  private long first;
  private long end;

  /** In the order of arrival, itself first; the others were dispatches until they were merged. */
  private final List<Placed> parts = new ArrayList<>(1);

  /** Those that came later and touch the same blocks. */
  private final List<Placed> followers = new ArrayList<>(0);

  /** How many came earlier and touch the same blocks. */
  private int blockers;

  /** The merged one that failed, of which this is a part that is tried again, alone. */
  private @Nullable Placed whole;

  /** How many parts are still to be tried again. */
  private int left;

  /**
   * One that has just come.
   *
   * @param number the later, the higher
   */
  Placed(
      IoScheduler scheduler,
      DiskRequest request,
      CompletionPort<Unit> port,
      long served,
      long number) {
    super(scheduler, request, port, served);
    this.number = number;
    this.first = request.firstBlock();
    // What is cut off goes on to the end.
    boolean isOpenEnd = request instanceof DiskRequest.Shrink;
    this.end = isOpenEnd ? Long.MAX_VALUE : first + request.blocks();
    parts.add(this);
  }

  @Override
  public long block() {
    return first;
  }

  @Override
  public long blocks() {
    return end - first;
  }

  @Override
  public int parts() {
    return parts.size();
  }

  @Override
  DiskRequest toDevice() {
    if (parts.size() == 1) {
      return request();
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    parts.stream()
        .map(Dispatch::request)
        .sorted(Comparator.comparingLong(DiskRequest::firstBlock))
        .forEach(part -> buffers.addAll(part.buffers()));
    return switch (request()) {
      case DiskRequest.Read read -> new DiskRequest.Read(first, buffers, ioClass(), this);
      case DiskRequest.Write write -> new DiskRequest.Write(first, buffers, ioClass(), this);
      case DiskRequest.DurableWrite write ->
          new DiskRequest.DurableWrite(first, buffers, ioClass(), this);
      default -> throw new IllegalStateException("merged: " + DiskRules.operation(request()));
    };
  }

  @Override
  public void complete(Completion<Unit> completion) {
    scheduler().completed(this, completion);
  }

  long number() {
    return number;
  }

  boolean hasNoBlocks() {
    return first == end;
  }

  List<Placed> allParts() {
    return parts;
  }

  List<Placed> followers() {
    return followers;
  }

  /** Waits for an earlier one, if they touch the same blocks and one of them changes something. */
  void keepsOrderWith(Placed earlier) {
    boolean changes = !(reads() && earlier.reads());
    if (changes && first < earlier.end && earlier.first < end) {
      earlier.followers.add(this);
      blockers++;
    }
  }

  boolean isFree() {
    return blockers == 0;
  }

  /** One that came earlier has left; whether it was the last. */
  boolean unblocked() {
    blockers--;
    return blockers == 0;
  }

  /** Another one is a part of this from now on. */
  void merge(Placed other) {
    first = Math.min(first, other.first);
    end = Math.max(end, other.end);
    parts.addAll(other.parts);
    followers.addAll(other.followers);
  }

  /** Its parts, each to be tried alone. */
  List<Placed> apart() {
    left = parts.size();
    List<Placed> apart = new ArrayList<>(left);
    for (Placed part : parts) {
      Placed alone = new Placed(scheduler(), part.request(), part.port(), part.served(), number);
      alone.whole = this;
      apart.add(alone);
    }
    return apart;
  }

  /**
   * It was answered; the one whose place is free for that, itself or, if it was the last part to be
   * tried again, the whole. Null if other parts are still to come.
   */
  @Nullable Placed over() {
    if (whole == null) {
      return this;
    }
    whole.left--;
    return whole.left == 0 ? whole : null;
  }
}
