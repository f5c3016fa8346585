package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The disk of a store that may write it as long as nobody else has opened the volume since: all but
 * reads wait for a look at the {@link Epoch} when the last one is too old, and each {@link
 * DiskRequest.Stat} looks anew. Once the store is overtaken, only reads are served. Dispatcher's
 * thread.
 */
public final class EpochGuard extends ForwardingDisk {
  private final Dispatcher dispatcher;
  private final Epoch epoch;

  /** What waits for a look; while it is empty none is under way. */
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /** What a look reads: a write must not fail because nobody has memory for that. */
  private final Map<Integer, ByteBuffer> blocks = new TreeMap<>();

  private Consumer<Failure> overtaken = why -> {};

  /** A request that waits, and whom it serves. */
  private record Held(DiskRequest request, long asker) {}

  /** A guard before a disk. */
  public EpochGuard(Disk disk, Dispatcher dispatcher, Faults faults) {
    super(disk);
    this.dispatcher = dispatcher;
    this.epoch = new Epoch(disk.name(), faults);
    Epoch.LOOKED_AT.forEach(copy -> blocks.put(copy, Disk.newBuffer(Disk.BLOCK_BYTES)));
  }

  @Override
  public void whenLost(Consumer<Failure> listener) {
    overtaken = listener;
  }

  @Override
  public void submit(DiskRequest request) {
    if (request instanceof DiskRequest.Read) {
      pass(request);
      return;
    }
    long now = dispatcher.upcallNanos();
    if (epoch.isLookDue(request, now)) {
      held.add(new Held(request, dispatcher.recorder().current()));
      if (held.size() == 1) {
        look(now, 1);
      }
    } else {
      serve(request, now);
    }
  }

  private void serve(DiskRequest request, long nowNanos) {
    Failure why = epoch.overtaken();
    if (why == null) {
      epoch.passes(request, nowNanos);
      pass(request);
    } else {
      dispatcher.complete(request.port(), Completion.failed(why));
    }
  }

  private void look(long nowNanos, int number) {
    boolean[] isSeen = {false};
    Join join = new Join(Epoch.LOOKED_AT.size(), _ -> looked(nowNanos, isSeen[0], number));
    // Each on its own, since one may be unreadable.
    for (int copy : Epoch.LOOKED_AT) {
      ByteBuffer block = Invariants.present(blocks.get(copy), "a block").clear();
      pass(
          new DiskRequest.Read(
              copy,
              List.of(block),
              IoClass.LOG,
              completion -> {
                if (completion instanceof Completion.Done<Unit>) {
                  isSeen[0] = true;
                  epoch.saw(block, copy);
                }
                join.complete(completion);
              }));
    }
  }

  private void looked(long beganNanos, boolean isSeen, int number) {
    long now = dispatcher.upcallNanos();
    if (epoch.looked(beganNanos, isSeen, now) || number == Epoch.MOST_LOOKS) {
      goOn();
    } else {
      look(now, number + 1);
    }
  }

  private void goOn() {
    Failure why = epoch.overtaken();
    if (why != null) {
      overtaken.accept(why);
    }
    long now = dispatcher.upcallNanos();
    List<Held> waited = new ArrayList<>(held);
    held.clear();
    for (Held one : waited) {
      dispatcher.recorder().serving(one.asker(), () -> serve(one.request(), now));
    }
  }
}
