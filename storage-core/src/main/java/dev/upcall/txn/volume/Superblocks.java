package dev.upcall.txn.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The superblock copies of a volume. Each call runs a machine of its own ({@link
 * SuperblockReading}, {@link SuperblockWriting}); one write at a time. Dispatcher's thread.
 */
public final class Superblocks {
  private final Dispatcher dispatcher;
  private final Disk disk;
  private SuperblockReading.@Nullable Copies copies;

  /** The superblocks of a volume. */
  public Superblocks(Dispatcher dispatcher, Disk disk) {
    this.dispatcher = dispatcher;
    this.disk = disk;
  }

  /**
   * Reads all copies and gives the newest valid one; changes nothing. Failures: {@code Invalid} for
   * a file that is no Upcall volume and for one of a newer format, {@code Corrupt} for a volume
   * without any valid copy, {@code Device}.
   *
   * @param unsound judges the fields whose meaning is the caller's: says why a copy is damaged, or
   *     null
   */
  public void read(
      Function<Superblock, @Nullable String> unsound, CompletionPort<Superblock> port) {
    new SuperblockReading(dispatcher, disk, unsound)
        .start(
            completion -> {
              copies =
                  completion instanceof Completion.Done<SuperblockReading.Copies> done
                      ? done.value()
                      : null;
              port.complete(newest(completion));
            });
  }

  /**
   * Whether something else was written over the copies at the volume's start, and a copy was found
   * behind it when they were read last. It may be the rest of a volume that somebody has given up.
   */
  public boolean isFrontForeign() {
    return copies != null && copies.front() == SuperblockReading.Front.FOREIGN;
  }

  /** The copies in whose places there was something else when they were read last. */
  public List<Integer> gone() {
    return copies == null ? List.of() : copies.gone();
  }

  /**
   * Makes all copies lead to the state of the newest superblock, which was read, durably. Needed
   * before anything is changed: else a crash in the next write could leave only a copy whose blocks
   * have been reused. But only when the volume is known to open: one that does not is left as it
   * was.
   */
  public void heal(CompletionPort<Unit> port) {
    SuperblockReading.Copies read = Invariants.present(copies, "superblocks that were read");
    if (read.stale().isEmpty()) {
      port.complete(Completion.done());
    } else {
      new SuperblockWriting(dispatcher, disk, read.newest(), read.stale()).start(port);
    }
  }

  /**
   * Takes the volume over, after {@link #heal} and before anything else is changed: writes what was
   * read once more under the next sequence, durably, which is what is given. Whoever had the volume
   * open before finds it ({@link Epoch}). In the copies at the volume's start only, since the other
   * two lead to the same state: so two whole copies do at each moment, and one sync is enough.
   * Failure: {@code Device}.
   */
  public void raise(CompletionPort<Superblock> port) {
    Superblock mine = Invariants.present(copies, "superblocks that were read").newest().raised();
    new SuperblockWriting(dispatcher, disk, mine, SuperblockWriting.FRONT)
        .start(port.then(done -> port.complete(Completion.done(mine))));
  }

  private static Completion<Superblock> newest(Completion<SuperblockReading.Copies> completion) {
    return switch (completion) {
      case Completion.Failed<SuperblockReading.Copies> failed -> failed.cast();
      case Completion.Done<SuperblockReading.Copies>(SuperblockReading.Copies copies) ->
          Completion.done(copies.newest());
    };
  }

  /**
   * Writes all four copies and completes when every one is durable. Copies 2 and 3 first, a sync,
   * then copies 0 and 1, and a sync: whenever the power fails, two copies are whole. Only after the
   * completion may anything be reused that the superblock before needed. Failure: {@code Device};
   * then the volume still opens with this superblock or the one before.
   */
  public void write(Superblock superblock, CompletionPort<Unit> port) {
    write(superblock, Faults.NONE, port);
  }

  /** As above, of a store that may be broken on purpose. */
  public void write(Superblock superblock, Faults faults, CompletionPort<Unit> port) {
    List<Integer> copies =
        faults.has(VolumeFault.KEY_LEFT_IN_ONE_COPY)
            ? SuperblockWriting.ALL.subList(0, SuperblockWriting.ALL.size() - 1)
            : SuperblockWriting.ALL;
    new SuperblockWriting(dispatcher, disk, superblock, copies).start(port);
  }
}
