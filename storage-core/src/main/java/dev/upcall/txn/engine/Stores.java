package dev.upcall.txn.engine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.recovery.Recovery;
import dev.upcall.txn.state.SharedEngine;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreFeature;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.VolumeFormatter;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.List;
import java.util.function.Function;

/** Makes volumes and opens stores on them. Dispatcher's thread. */
public final class Stores {
  /** Ids below this one are the file manager's own to give. */
  public static final long FIRST_FREE_SEGMENT_ID = 16;

  private Stores() {}

  /**
   * What a new volume looks like.
   *
   * @param volumeId a random number that every structure of the volume repeats
   * @param layout where the fixed structures lie
   * @param initialBlocks the size to begin with
   * @param capBlocks what it may grow to, for now
   * @param keySlots what opens it, if it is encrypted; the disk is then behind its seal
   */
  public record Format(
      long volumeId, VolumeLayout layout, long initialBlocks, long capBlocks, KeySlots keySlots) {
    /** That of a volume that is not encrypted. */
    public Format(long volumeId, VolumeLayout layout, long initialBlocks, long capBlocks) {
      this(volumeId, layout, initialBlocks, capBlocks, KeySlots.NONE);
    }

    /** The same, encrypted. */
    public Format withKeySlots(KeySlots slots) {
      return new Format(volumeId, layout, initialBlocks, capBlocks, slots);
    }
  }

  /** Formats an empty disk. Failures: {@code VolumeFull}, {@code Device}; then it is no volume. */
  public static void format(
      Dispatcher dispatcher, Disk disk, Format format, CompletionPort<Unit> port) {
    Superblock first =
        new Superblock(
            format.volumeId(),
            /* sequence= */ 1,
            /* scn= */ 0,
            LogPoint.ORIGIN,
            List.of(),
            /* mapSequence= */ 0,
            /* mapDigest= */ 0,
            format.layout(),
            format.initialBlocks(),
            format.capBlocks(),
            FIRST_FREE_SEGMENT_ID,
            format.keySlots().used() == 0 ? 0 : StoreFeature.SEALED.bit(),
            format.keySlots());
    new VolumeFormatter(dispatcher, disk, first).start(port);
  }

  /**
   * Opens the store on a volume: what was acknowledged is there, nothing half-done is. Failures:
   * {@code Invalid} (no volume of ours, cut short, of a newer format), {@code Corrupt}, {@code
   * Device}. The disk stays the caller's until this has succeeded. With {@link
   * StoreOptions#readOnly} nothing is written, then or later, and every change is refused with
   * {@code ReadOnly}.
   */
  public static void open(
      Dispatcher dispatcher, Disk disk, StoreOptions options, CompletionPort<Store> port) {
    open(dispatcher, disk, options, Faults.NONE, port);
  }

  /** As above, of a store that may be broken on purpose. */
  public static void open(
      Dispatcher dispatcher,
      Disk disk,
      StoreOptions options,
      Faults faults,
      CompletionPort<Store> port) {
    open(new StoreAssembly(dispatcher, disk, options, null, faults), engine -> engine, port);
  }

  /**
   * As {@link #open}, with a state that is shared with an engine of threads. Content that machines
   * read goes through little memory, because the sharedEngine has its own.
   */
  public static void openShared(
      Dispatcher dispatcher,
      Disk disk,
      StoreOptions options,
      SharedEngine sharedEngine,
      CompletionPort<SharedState> port) {
    open(
        new StoreAssembly(dispatcher, disk, options, sharedEngine, Faults.NONE),
        SharedState::new,
        port);
  }

  private static <T> void open(
      StoreAssembly assembly, Function<StoreEngine, T> face, CompletionPort<T> port) {
    // There is no engine, and nobody can ask, before the log is replayed to its end.
    assembly.recover(
        completion ->
            port.complete(
                switch (completion) {
                  case Completion.Failed<Recovery.Recovered> failed -> failed.cast();
                  case Completion.Done<Recovery.Recovered>(Recovery.Recovered recovered) ->
                      Completion.done(face.apply(new StoreEngine(assembly, recovered)));
                }));
  }
}
