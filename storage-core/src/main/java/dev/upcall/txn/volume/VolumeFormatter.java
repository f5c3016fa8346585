package dev.upcall.txn.volume;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a new volume of a disk: wipes the front superblock copies, gives room to the fixed parts
 * ({@link VolumeLayout#fixedParts}) and the first extents, writes zeros to the former and syncs;
 * the superblocks come last. Until then the disk is not a volume, so a crash leaves nothing that
 * looks like one. What was on the disk is lost.
 *
 * <p>Dispatcher's thread; one use.
 */
public final class VolumeFormatter extends StateMachine<VolumeFormatter.State> {
  /** Where the formatting stands. */
  public enum State {
    /** Not started. */
    NEW,
    /** The first extents are getting room. */
    ALLOCATING,
    /** The front superblock copies of whatever was there are being wiped. */
    WIPING,
    /** The wiping is being made durable. */
    SYNCING_WIPE,
    /** What was between superblock and extents is being given back to the device. */
    CLEARING,
    /** The fixed parts are getting room, and zeros. */
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
          .on("synced", State.SYNCING_WIPE, State.CLEARING)
          .on("given back", State.CLEARING, State.ZEROING)
          .on("all written", State.ZEROING, State.SYNCING)
          .on("synced", State.SYNCING, State.WRITING_SUPERBLOCKS)
          .on("written", State.WRITING_SUPERBLOCKS, State.DONE)
          .on("failed", State.ALLOCATING, State.FAILED)
          .on("failed", State.WIPING, State.FAILED)
          .on("failed", State.SYNCING_WIPE, State.FAILED)
          .on("failed", State.CLEARING, State.FAILED)
          .on("failed", State.ZEROING, State.FAILED)
          .on("failed", State.SYNCING, State.FAILED)
          .on("failed", State.WRITING_SUPERBLOCKS, State.FAILED)
          .build();

  private static final int PIECE_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final Superblock first;
  private final ByteBuffer zeros = Disk.newBuffer(PIECE_BLOCKS * Disk.BLOCK_BYTES);
  private @Nullable CompletionPort<Unit> port;

  /**
   * A formatter.
   *
   * @param first the first superblock; its layout and volume size are those of the new volume
   */
  public VolumeFormatter(Dispatcher dispatcher, Disk disk, Superblock first) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.first = first;
  }

  /**
   * Formats; completes when the volume is durable. Failures: {@code VolumeFull}, {@code Device}.
   */
  public void start(CompletionPort<Unit> whenDone) {
    dispatcher.checkOwner();
    this.port = whenDone;
    become(State.ALLOCATING);
    long dataStart = first.layout().dataStart();
    allocate(new Extent(dataStart, first.volumeBlocks() - dataStart), this::wipe);
  }

  private void wipe() {
    become(State.WIPING);
    write(
        new Extent(0, first.layout().logStart()),
        () -> {
          become(State.SYNCING_WIPE);
          sync(this::clear);
        });
  }

  /** So that nothing of an older volume lies where this one has not written yet. */
  private void clear() {
    become(State.CLEARING);
    long start = first.layout().logStart();
    disk.submit(
        new DiskRequest.Discard(
            start,
            first.layout().dataStart() - start,
            IoClass.FOREGROUND_WRITE,
            port(
                () -> {
                  become(State.ZEROING);
                  zero(first.layout().fixedParts(first.volumeBlocks()).iterator());
                })));
  }

  private void zero(Iterator<Extent> parts) {
    if (parts.hasNext()) {
      Extent part = parts.next();
      allocate(part, () -> zero(part, parts));
    } else {
      become(State.SYNCING);
      sync(this::writeSuperblocks);
    }
  }

  private void zero(Extent left, Iterator<Extent> parts) {
    int piece = (int) Math.min(PIECE_BLOCKS, left.blocks());
    write(
        new Extent(left.block(), piece),
        () -> {
          if (piece == left.blocks()) {
            zero(parts);
          } else {
            zero(new Extent(left.block() + piece, left.blocks() - piece), parts);
          }
        });
  }

  private void writeSuperblocks() {
    become(State.WRITING_SUPERBLOCKS);
    new Superblocks(dispatcher, disk)
        .write(first, port(() -> finish(State.DONE, Completion.done())));
  }

  private void allocate(Extent extent, Runnable then) {
    disk.submit(
        new DiskRequest.Allocate(
            extent.block(), extent.blocks(), IoClass.FOREGROUND_WRITE, port(then)));
  }

  private void write(Extent extent, Runnable then) {
    ByteBuffer piece = zeros.slice(0, (int) extent.blocks() * Disk.BLOCK_BYTES);
    disk.submit(
        new DiskRequest.Write(
            extent.block(), List.of(piece), IoClass.FOREGROUND_WRITE, port(then)));
  }

  private void sync(Runnable then) {
    disk.submit(new DiskRequest.Sync(IoClass.FOREGROUND_WRITE, port(then)));
  }

  private CompletionPort<Unit> port(Runnable then) {
    return CompletionPort.of(
        done -> then.run(), why -> finish(State.FAILED, Completion.failed(why)));
  }

  private void finish(State last, Completion<Unit> completion) {
    become(last);
    if (port != null) {
      dispatcher.complete(port, completion);
    }
  }
}
