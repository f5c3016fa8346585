package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes superblock copies in two pairs, each followed by a sync. */
public final class SuperblockWriting extends StateMachine<SuperblockWriting.State> {
  /** Where the writing stands. */
  enum State {
    /** Not started. */
    NEW,
    /** The copies behind the log are being written. */
    WRITING_BACK,
    /** They are being made durable. */
    SYNCING_BACK,
    /** The copies at the volume's start are being written. */
    WRITING_FRONT,
    /** They are being made durable. */
    SYNCING_FRONT,
    /** All asked for are durable. */
    DONE,
    /** The device refused; nothing is tried again. */
    FAILED
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("SuperblockWriting", State.class, State.NEW)
          .on("start", State.NEW, State.WRITING_BACK)
          .on("only front copies are stale", State.NEW, State.WRITING_FRONT)
          .on("written", State.WRITING_BACK, State.SYNCING_BACK)
          .on("synced", State.SYNCING_BACK, State.WRITING_FRONT)
          .on("synced, front copies were good", State.SYNCING_BACK, State.DONE)
          .on("written", State.WRITING_FRONT, State.SYNCING_FRONT)
          .on("synced", State.SYNCING_FRONT, State.DONE)
          .on("write failed", State.WRITING_BACK, State.FAILED)
          .on("sync failed", State.SYNCING_BACK, State.FAILED)
          .on("write failed", State.WRITING_FRONT, State.FAILED)
          .on("sync failed", State.SYNCING_FRONT, State.FAILED)
          .build();

  /** Every copy. */
  static final List<Integer> ALL = List.of(0, 1, 2, 3);

  /** Those at the volume's start, where a store that was overtaken looks. */
  static final List<Integer> FRONT = List.of(0, 1);

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final Superblock superblock;
  private final List<Integer> copies;
  private @Nullable CompletionPort<Unit> port;

  SuperblockWriting(Dispatcher dispatcher, Disk disk, Superblock superblock, List<Integer> copies) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.superblock = superblock;
    this.copies = copies;
  }

  void start(CompletionPort<Unit> whenDone) {
    dispatcher.checkOwner();
    this.port = whenDone;
    List<Integer> back = copies.stream().filter(copy -> copy >= 2).toList();
    if (back.isEmpty()) {
      writeFront();
    } else {
      // One pair, and its sync, before the other is touched: whenever the power fails, two copies
      // of one superblock are whole.
      become(State.WRITING_BACK);
      write(
          back,
          () -> {
            become(State.SYNCING_BACK);
            sync(this::writeFront);
          });
    }
  }

  private void writeFront() {
    List<Integer> front = copies.stream().filter(copy -> copy < 2).toList();
    if (front.isEmpty()) {
      finish(State.DONE, Completion.done());
      return;
    }
    become(State.WRITING_FRONT);
    write(
        front,
        () -> {
          become(State.SYNCING_FRONT);
          sync(() -> finish(State.DONE, Completion.done()));
        });
  }

  private void write(List<Integer> some, Runnable then) {
    Invariants.check(some.size() <= 2, "more than a pair of copies at once", some);
    Join join = new Join(some.size(), completion -> proceed(completion, then));
    for (int copy : some) {
      disk.submit(
          new DiskRequest.Write(
              superblock.layout().superblock(copy),
              List.of(SuperblockCodec.encode(superblock, copy)),
              IoClass.LOG,
              join));
    }
  }

  private void sync(Runnable then) {
    disk.submit(new DiskRequest.Sync(IoClass.LOG, completion -> proceed(completion, then)));
  }

  private void proceed(Completion<Unit> completion, Runnable then) {
    switch (completion) {
      case Completion.Done<Unit> done -> then.run();
      case Completion.Failed<Unit>(Failure why) -> finish(State.FAILED, Completion.failed(why));
    }
  }

  private void finish(State last, Completion<Unit> completion) {
    become(last);
    if (port != null) {
      dispatcher.complete(port, completion);
    }
  }
}
