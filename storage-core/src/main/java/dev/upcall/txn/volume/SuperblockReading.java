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
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the superblock copies and chooses the newest valid one, of the volume that the first whole
 * one names. The copies at the volume's start say where the other two are. When neither of them is
 * whole, the others are searched for, so that a volume opens as long as one copy is whole.
 *
 * <p>How far the search goes depends on what lies at the start. A damaged or unreadable copy there
 * says that this is a volume, and the search covers every log that the format allows. When neither
 * block begins as a copy, this may be any file: the search ends where the copies of a new volume
 * lie at most, so that a file that is no volume is refused after {@link
 * VolumeLayout#MAX_NEW_LOG_BLOCKS} blocks.
 */
public final class SuperblockReading extends StateMachine<SuperblockReading.State> {
  /** Where the reading stands. */
  enum State {
    /** Not started. */
    NEW,
    /** The copies at the volume's start are being read. */
    READING_FRONT,
    /** The copies behind the log are being read. */
    READING_BACK,
    /** No front copy is whole; the others are being searched for. */
    SEARCHING,
    /** The newest was found. */
    DONE,
    /** There is none, or the device refused. */
    FAILED
  }

  /** The legal transitions. */
  public static final Transitions<State> TRANSITIONS =
      Transitions.of("SuperblockReading", State.class, State.NEW)
          .on("start", State.NEW, State.READING_FRONT)
          .on("no room for a volume", State.NEW, State.FAILED)
          .on("layout is known", State.READING_FRONT, State.READING_BACK)
          .on("none is whole", State.READING_FRONT, State.SEARCHING)
          .on("newer", State.READING_FRONT, State.FAILED)
          .on("found one", State.SEARCHING, State.READING_BACK)
          .on("found none, or a newer one", State.SEARCHING, State.FAILED)
          .on("chosen", State.READING_BACK, State.DONE)
          .on("newer, or damaged, too", State.READING_BACK, State.FAILED)
          .build();

  /**
   * What was found.
   *
   * @param newest the newest valid superblock of the volume
   * @param stale the copies that lead to another state, or none, or have the form of an older
   *     version
   * @param front what lies where the front copies should be
   * @param gone the copies in whose places there is something else, which no crash leaves there
   */
  record Copies(Superblock newest, List<Integer> stale, Front front, List<Integer> gone) {}

  /** The kinds of bytes at a volume's start. */
  enum Front {
    /** A copy, whole or damaged, or zeros, or what the device cannot read. */
    OURS,
    /** Bytes of something else, and no copy. */
    FOREIGN
  }

  private static final int SEARCH_PIECE_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;
  private static final long SEARCH_FROM = 4L + VolumeLayout.MIN_LOG_BLOCKS;
  private static final long SEARCH_TO = 4L + VolumeLayout.MAX_LOG_BLOCKS + 2;
  private static final long SEARCH_OF_FOREIGN_TO = 4L + VolumeLayout.MAX_NEW_LOG_BLOCKS + 2;

  private final Dispatcher dispatcher;
  private final Disk disk;
  private final Function<Superblock, @Nullable String> unsound;
  private final TreeMap<Integer, Superblock> valid = new TreeMap<>();
  private final Set<Integer> older = new TreeSet<>();
  private final Set<Integer> gone = new TreeSet<>();
  private @Nullable CompletionPort<Copies> port;

  /** Which copies are damaged: where they lie, and what is wrong with them. */
  private final TreeMap<Integer, Damage> damaged = new TreeMap<>();

  private @Nullable Failure deviceFailure;
  private boolean holdsOtherBytes;
  private Front front = Front.OURS;
  private long searchEnd;
  private int newerVersion;
  private long unknownFeatures;

  private record Damage(long block, String what) {}

  SuperblockReading(
      Dispatcher dispatcher, Disk disk, Function<Superblock, @Nullable String> unsound) {
    super(TRANSITIONS, dispatcher);
    this.unsound = unsound;
    this.dispatcher = dispatcher;
    this.disk = disk;
  }

  void start(CompletionPort<Copies> whenDone) {
    dispatcher.checkOwner();
    this.port = whenDone;
    if (disk.sizeBlocks() < 2) {
      fail(notAVolume());
      return;
    }
    become(State.READING_FRONT);
    readCopies(0, 0, 1, this::onFront);
  }

  /** Reads two copies that lie next to each other; each on its own, since one may be unreadable. */
  private void readCopies(int firstCopy, long first, long second, Runnable then) {
    ByteBuffer firstBlock = Disk.newBuffer(Disk.BLOCK_BYTES);
    ByteBuffer secondBlock = Disk.newBuffer(Disk.BLOCK_BYTES);
    Join join = new Join(2, completion -> then.run());
    readCopy(firstCopy, first, firstBlock, join);
    readCopy(firstCopy + 1, second, secondBlock, join);
  }

  private void readCopy(int copy, long block, ByteBuffer into, CompletionPort<Unit> join) {
    if (block >= disk.sizeBlocks()) {
      dispatcher.complete(join, Completion.done());
      return;
    }
    disk.submit(
        new DiskRequest.Read(
            block,
            List.of(into),
            IoClass.FOREGROUND_READ,
            completion -> {
              switch (completion) {
                case Completion.Done<Unit> done -> {
                  SuperblockCodec.Found found = SuperblockCodec.decode(into, block);
                  judge(copy, block, found);
                  holdsOtherBytes |=
                      found instanceof SuperblockCodec.Found.Foreign && !isBlank(into);
                }
                case Completion.Failed<Unit>(Failure why) -> deviceFailure = why;
              }
              join.complete(completion);
            }));
  }

  private void judge(int copy, long block, SuperblockCodec.Found found) {
    switch (found) {
      case SuperblockCodec.Found.Valid(Superblock superblock, int version) -> {
        String what = unsound.apply(superblock);
        if (what != null) {
          damaged.put(copy, new Damage(block, what));
          return;
        }
        valid.put(copy, superblock);
        if (version < Superblock.PLAIN_FORMAT_VERSION) {
          older.add(copy);
        }
      }
      case SuperblockCodec.Found.Newer(int version) -> newerVersion = version;
      case SuperblockCodec.Found.Unknown(long features) -> unknownFeatures |= features;
      case SuperblockCodec.Found.Damaged(String what) -> damaged.put(copy, new Damage(block, what));
      case SuperblockCodec.Found.Foreign foreign -> gone.add(copy);
    }
  }

  private void onFront() {
    // Before any valid copy is believed: an older one may be left beside it.
    if (isNewer()) {
      fail(newer());
    } else if (!valid.isEmpty()) {
      readBack(valid.firstEntry().getValue().layout());
    } else {
      become(State.SEARCHING);
      boolean ours = !damaged.isEmpty();
      front = holdsOtherBytes && !ours ? Front.FOREIGN : Front.OURS;
      boolean mayBeOurs = ours || deviceFailure != null;
      searchEnd = Math.min(mayBeOurs ? SEARCH_TO : SEARCH_OF_FOREIGN_TO, disk.sizeBlocks());
      search(SEARCH_FROM, SEARCH_PIECE_BLOCKS);
    }
  }

  private void readBack(VolumeLayout layout) {
    become(State.READING_BACK);
    readCopies(2, layout.superblock(2), layout.superblock(3), this::onBack);
  }

  private void onBack() {
    if (isNewer()) {
      fail(newer());
      return;
    }
    if (valid.isEmpty()) {
      fail(noCopy());
      return;
    }
    // A copy of another volume was left behind the log by a store that was here before.
    Superblock newest = valid.firstEntry().getValue();
    for (Superblock one : valid.values()) {
      if (one.volumeId() == newest.volumeId() && one.sequence() > newest.sequence()) {
        newest = one;
      }
    }
    Superblock chosen = newest;
    List<Integer> stale =
        SuperblockWriting.ALL.stream()
            .filter(copy -> !leadsTo(chosen, valid.get(copy)) || older.contains(copy))
            .toList();
    become(State.DONE);
    answer(Completion.done(new Copies(chosen, stale, front, List.copyOf(gone))));
  }

  private static boolean isBlank(ByteBuffer block) {
    return block.duplicate().clear().mismatch(Disk.newBuffer(Disk.BLOCK_BYTES)) < 0;
  }

  private static boolean leadsTo(Superblock chosen, @Nullable Superblock copy) {
    return copy != null && copy.isSameState(chosen);
  }

  private void search(long from, int mostBlocks) {
    int blocks = (int) Math.min(mostBlocks, searchEnd - from);
    if (blocks <= 0) {
      fail(noCopy());
      return;
    }
    ByteBuffer piece = Disk.newBuffer(blocks * Disk.BLOCK_BYTES);
    disk.submit(
        new DiskRequest.Read(
            from,
            List.of(piece),
            IoClass.FOREGROUND_READ,
            completion -> onPiece(completion, from, piece)));
  }

  private void onPiece(Completion<Unit> completion, long from, ByteBuffer piece) {
    int blocks = piece.capacity() / Disk.BLOCK_BYTES;
    if (completion instanceof Completion.Failed<Unit>(Failure why)) {
      deviceFailure = why;
      if (blocks > 1) {
        // One unreadable block must not hide a copy that lies beside it.
        search(from, blocks / 2);
        return;
      }
    } else if (searchIn(piece, from, blocks)) {
      return;
    }
    search(from + blocks, Math.min(2 * blocks, SEARCH_PIECE_BLOCKS));
  }

  /** Whether a copy was found there, with which the reading goes on or ends. */
  private boolean searchIn(ByteBuffer piece, long from, int blocks) {
    for (int i = 0; i < blocks; i++) {
      ByteBuffer block = piece.slice(i * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES);
      switch (SuperblockCodec.decode(block, from + i)) {
        case SuperblockCodec.Found.Valid(Superblock superblock, int version) -> {
          readBack(superblock.layout());
          return true;
        }
        case SuperblockCodec.Found.Newer(int version) -> {
          newerVersion = version;
          fail(newer());
          return true;
        }
        case SuperblockCodec.Found.Unknown(long features) -> {
          unknownFeatures |= features;
          fail(newer());
          return true;
        }
        case SuperblockCodec.Found.Damaged damagedCopy -> {}
        case SuperblockCodec.Found.Foreign foreign -> {}
      }
    }
    return false;
  }

  private Failure notAVolume() {
    return new Failure.Invalid(disk.name() + " is not an Upcall volume; it was left as it is");
  }

  private boolean isNewer() {
    return newerVersion > 0 || unknownFeatures != 0;
  }

  private Failure newer() {
    if (newerVersion == 0) {
      return new Failure.Invalid(
          "%s uses features of a newer version of Upcall (%s); it was left as it is"
              .formatted(disk.name(), bits(unknownFeatures)));
    }
    return new Failure.Invalid(
        "%s was written by a newer version of Upcall (volume format %d, this program reads up to %d)"
            .formatted(disk.name(), newerVersion, Superblock.FORMAT_VERSION));
  }

  private static String bits(long features) {
    return BitSet.valueOf(new long[] {features}).stream()
        .mapToObj(bit -> "feature bit " + bit)
        .collect(Collectors.joining(", "));
  }

  private Failure noCopy() {
    if (deviceFailure != null) {
      return deviceFailure; // what could not be read may be a whole copy
    }
    if (damaged.isEmpty()) {
      return notAVolume();
    }
    TreeMap<String, String> copies = new TreeMap<>();
    damaged.forEach(
        (copy, damage) ->
            copies.merge(
                damage.what(),
                "%d in block %d".formatted(copy, damage.block()),
                "%s, %s"::formatted));
    String each =
        copies.entrySet().stream()
            .map(same -> same.getValue() + ": " + same.getKey())
            .collect(Collectors.joining("; "));
    return Failure.Corrupt.missing(
        disk.name(),
        "every superblock copy (" + each + ")",
        damaged.firstEntry().getValue().block() * Disk.BLOCK_BYTES);
  }

  private void fail(Failure why) {
    become(State.FAILED);
    answer(Completion.failed(why));
  }

  private void answer(Completion<Copies> completion) {
    if (port != null) {
      dispatcher.complete(port, completion);
    }
  }
}
