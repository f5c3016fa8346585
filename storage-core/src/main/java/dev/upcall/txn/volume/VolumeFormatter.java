package dev.upcall.txn.volume;

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
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new volume of a disk: wipes the front superblock copies, allocates the volume's blocks,
 * writes the log ring and the map homes full of zeros (so that no log write ever has to extend or
 * convert anything) and syncs; the superblocks come last. Until then the disk is not a volume, so a
 * crash leaves nothing that looks like one. What was on the disk is lost.
 *
 * <p>Dispatcher's thread; one use.
 */
public final class VolumeFormatter extends StateMachine<VolumeFormatter.State> {
  /** Where the formatting stands. */
  public enum State {
    /** Not started. */
    NEW,
    /** The volume's blocks are being allocated. */
    ALLOCATING,
    /** The front superblock copies of whatever was there are being wiped. */
    WIPING,
    /** The wiping is being made durable. */
    SYNCING_WIPE,
    /** Log and map homes are being written with zeros. */
    ZEROING,
    /** The zeros are being made durable. */
    SYNCING,
    /** The superblocks are being written. */
    WRITING_SUPERBLOCKS,
    /** It is a volume. */
    DONE,
    /** The device refused. */
    FAILED
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("VolumeFormatter", State.class, State.NEW)
          .on("start", State.NEW, State.ALLOCATING)
          .on("allocated", State.ALLOCATING, State.WIPING)
          .on("wiped", State.WIPING, State.SYNCING_WIPE)
          .on("synced", State.SYNCING_WIPE, State.ZEROING)
          .on("all written", State.ZEROING, State.SYNCING)
          .on("synced", State.SYNCING, State.WRITING_SUPERBLOCKS)
          .on("written", State.WRITING_SUPERBLOCKS, State.DONE)
          .on("failed", State.ALLOCATING, State.FAILED)
          .on("failed", State.WIPING, State.FAILED)
          .on("failed", State.SYNCING_WIPE, State.FAILED)
          .on("failed", State.ZEROING, State.FAILED)
          .on("failed", State.SYNCING, State.FAILED)
          .on("failed", State.WRITING_SUPERBLOCKS, State.FAILED)
          .build();

  /** Hears how far the formatting is; upcalls. */
  @FunctionalInterface
  public interface Progress {
    /** So many of so many blocks have been written. */
    void written(long blocks, long ofBlocks);
  }

  private static final int PIECE_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final Superblock first;
  private final Progress progress;
  private final ByteBuffer zeros = Disk.newBuffer(PIECE_BLOCKS * Disk.BLOCK_BYTES);
  private @Nullable CompletionPort<Unit> port;

  /**
   * A formatter.
   *
   * @param first the first superblock; its layout and volume size are those of the new volume
   */
  public VolumeFormatter(Dispatcher dispatcher, Disk disk, Superblock first, Progress progress) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.first = first;
    this.progress = progress;
  }

  /**
   * Formats; completes when the volume is durable. Failures: {@code VolumeFull}, {@code Device}.
   */
  public void start(CompletionPort<Unit> whenDone) {
    dispatcher.checkOwner();
    this.port = whenDone;
    become(State.ALLOCATING);
    disk.submit(
        new DiskRequest.Allocate(
            0,
            first.volumeBlocks(),
            IoClass.FOREGROUND_WRITE,
            completion -> proceed(completion, this::wipe)));
  }

  private void wipe() {
    become(State.WIPING);
    int blocks = (int) first.layout().logStart();
    write(
        0,
        blocks,
        () -> {
          become(State.SYNCING_WIPE);
          sync(
              () -> {
                become(State.ZEROING);
                zero(blocks);
              });
        });
  }

  private void zero(long from) {
    long end = first.layout().dataStart();
    progress.written(from, end);
    if (from == end) {
      become(State.SYNCING);
      sync(this::writeSuperblocks);
      return;
    }
    int blocks = (int) Math.min(PIECE_BLOCKS, end - from);
    write(from, blocks, () -> zero(from + blocks));
  }

  private void writeSuperblocks() {
    become(State.WRITING_SUPERBLOCKS);
    new Superblocks(dispatcher, disk)
        .write(
            first, completion -> proceed(completion, () -> finish(State.DONE, Completion.done())));
  }

  private void write(long block, int blocks, Runnable then) {
    ByteBuffer piece = zeros.slice(0, blocks * Disk.BLOCK_BYTES);
    disk.submit(
        new DiskRequest.Write(
            block,
            List.of(piece),
            IoClass.FOREGROUND_WRITE,
            completion -> proceed(completion, then)));
  }

  private void sync(Runnable then) {
    disk.submit(
        new DiskRequest.Sync(IoClass.FOREGROUND_WRITE, completion -> proceed(completion, then)));
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
