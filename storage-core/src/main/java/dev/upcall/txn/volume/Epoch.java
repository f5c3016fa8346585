package dev.upcall.txn.volume;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.Faults;
import dev.upcall.io.DiskRequest;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The second line behind a volume's lock. The sequence of the superblock is the volume's epoch:
 * whoever opens it to write raises it in the copies at its start before he changes anything else.
 * So a store that finds there what it has not written itself has been overtaken, and must write
 * nothing any more. This keeps what the store wrote there last, when it has looked last, and what
 * it has found; those who use it read the copies. One thread at a time.
 */
public final class Epoch {
  /** For so long writes go out on the strength of a look. */
  public static final long TRUST_NANOS = 2_000_000_000L;

  /**
   * So many looks are made for a request at most, until one says something. Behind the last the
   * request is served all the same: the device is slow, or gives neither copy.
   */
  public static final int MOST_LOOKS = 3;

  /** The copies to look at, which lie side by side. */
  public static final List<Integer> LOOKED_AT = SuperblockWriting.FRONT;

  private final String volume;
  private final Faults faults;
  private @Nullable Superblock own;
  private @Nullable Failure overtaken;
  private long lookedNanos;

  /**
   * Of a store that is being opened: nobody can have overtaken it before it has written.
   *
   * @param volume its name in messages
   */
  public Epoch(String volume, Faults faults) {
    this.volume = volume;
    this.faults = faults;
  }

  /** Whether the copies must be looked at before this request, which is no read, is served. */
  public boolean isLookDue(DiskRequest request, long nowNanos) {
    return isTooOld(nowNanos) || (isWatched() && request instanceof DiskRequest.Stat);
  }

  /** Whether the last look holds no longer. */
  private boolean isTooOld(long nowNanos) {
    return isWatched() && nowNanos - lookedNanos > TRUST_NANOS;
  }

  private boolean isWatched() {
    return own != null && overtaken == null;
  }

  /**
   * A request goes to the device now: a superblock that is in it is the store's own. Of the copies
   * of one any may go first.
   */
  public void passes(DiskRequest request, long nowNanos) {
    Superblock mine = own;
    if (request instanceof DiskRequest.Write write
        && isLookedAt(write.block())
        && SuperblockCodec.decode(write.from().getFirst(), write.block())
            instanceof SuperblockCodec.Found.Valid(Superblock written, int _)
        && (mine == null || written.sequence() >= mine.sequence())) {
      if (mine == null) {
        lookedNanos = nowNanos;
      }
      own = written;
    }
  }

  /** Asked for each write. */
  private static boolean isLookedAt(long block) {
    return block >= LOOKED_AT.getFirst() && block <= LOOKED_AT.getLast();
  }

  /** What a look has found in the place of a copy. What cannot be read says nothing. */
  public void saw(ByteBuffer block, int copy) {
    Superblock mine = own;
    if (mine != null
        && !faults.has(VolumeFault.EPOCH_NOT_COMPARED)
        && SuperblockCodec.decode(block, copy)
            instanceof SuperblockCodec.Found.Valid(Superblock found, int _)
        && isOfAnother(found, mine)) {
      overtaken = new Failure.Device("volume " + volume, words(found, mine));
    }
  }

  private static boolean isOfAnother(Superblock found, Superblock mine) {
    return found.volumeId() != mine.volumeId()
        || found.sequence() > mine.sequence()
        // Both may have raised the same one.
        || (found.sequence() == mine.sequence() && !found.equals(mine));
  }

  private static String words(Superblock found, Superblock mine) {
    String what =
        found.volumeId() == mine.volumeId()
            ? "another store has opened it meanwhile: its epoch is %d, here it is %d"
                .formatted(found.sequence(), mine.sequence())
            : "it was made anew meanwhile";
    return what
        + "; nothing more is written from here."
        + " Close this one, see to it that the volume's lock holds, and open it again";
  }

  /**
   * A look is over.
   *
   * @param beganNanos when it began
   * @param isSeen whether a copy could be read
   * @return whether it says something: also not when the machine has slept since
   */
  public boolean looked(long beganNanos, boolean isSeen, long nowNanos) {
    lookedNanos = beganNanos;
    return isSeen && !isTooOld(nowNanos);
  }

  /** Why nothing may be written any more, or null. */
  public @Nullable Failure overtaken() {
    return overtaken;
  }
}
