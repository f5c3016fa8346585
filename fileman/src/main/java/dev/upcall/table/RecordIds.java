package dev.upcall.table;

import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The entry of a table of records under the id 0, which no record has: the next id that nobody has
 * had, then the paths of the indexes. Ids are taken by blocks, before and beside the changes that
 * use them, so that those of several threads do not wait for each other, nor their transactions
 * conflict. The change that takes a block is not waited for: one that uses an id stands behind it
 * in the log.
 *
 * <p>Behind that entry, and before all records, stands a fence for each index that somebody has
 * begun to build: the n-th under the id 0 and n. Each change of the records expects in its own
 * commit that there is no fence but those that its caller saw beside indexes that are the caller's:
 * so none comes in past an index that is being built.
 */
final class RecordIds {
  /** So many ids are taken at once. */
  static final int BLOCK = 64;

  static final byte[] KEY = Records.ID.encode(0L);

  /** Behind the paths of the indexes, while one is being built. */
  private static final byte[] MARK = {0, 0};

  private static final KeyRange FRONT = new KeyRange(KEY, Optional.of(Records.ID.encode(1L)));

  private final Upcall store;
  private final StorePath path;
  private final byte[] indexes;

  /** The segment whose block it is. */
  private long table;

  private long next;
  private long end;

  RecordIds(Upcall store, StorePath path, List<? extends Index<?, ?>> indexes) {
    this.store = store;
    this.path = path;
    this.indexes =
        indexes.stream()
            .map(index -> index.path().toString())
            .sorted()
            .collect(Collectors.joining("\0"))
            .getBytes(StandardCharsets.UTF_8);
  }

  /** The entry before the records, as of one commit. */
  private List<TablePage.Entry> front() {
    return store.ask(front(path)).entries();
  }

  /** Asks for what stands before the records. */
  static Look.Entries front(StorePath path) {
    return new Look.Entries(path, FRONT, Direction.ASCENDING, Look.Entries.MAX_ENTRIES);
  }

  /** The entry, if the table is not new. */
  Optional<byte[]> entry() {
    return front().stream().findFirst().map(TablePage.Entry::value);
  }

  /** Whether the indexes of an entry are these. */
  boolean isOfThese(byte[] entry) {
    return Arrays.equals(entry, Long.BYTES, entry.length, indexes, 0, indexes.length);
  }

  /** The paths of an entry's indexes. */
  static List<String> indexes(byte[] entry) {
    String paths = new String(entry, Long.BYTES, entry.length - Long.BYTES, StandardCharsets.UTF_8);
    return paths.isEmpty() ? List.of() : List.of(paths.split("\0"));
  }

  /** Puts the first entry of a new table. */
  FileRequest first() {
    return new TableRequest.PutEntry(path, KEY, entry(1), Expect.ABSENT);
  }

  /**
   * Puts these indexes, of which one is built, into an entry that says that it is being built.
   *
   * @throws UpcallException {@code Invalid} if it does not say so any more
   */
  FileRequest replace(byte[] before) {
    if (!isMarked(before)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "somebody has opened %s while an index was built: build it again".formatted(path)));
    }
    return replace(before, entry(counter(before)));
  }

  private FileRequest replace(byte[] before, byte[] after) {
    return new TableRequest.PutEntry(path, KEY, after, Expect.value(before));
  }

  private byte[] entry(long nextId) {
    return ByteBuffer.allocate(Long.BYTES + indexes.length).putLong(nextId).put(indexes).array();
  }

  private static boolean isMarked(byte[] entry) {
    int at = entry.length - MARK.length;
    return at >= Long.BYTES && Arrays.equals(entry, at, entry.length, MARK, 0, MARK.length);
  }

  private static byte[] unmarked(byte[] entry) {
    return Arrays.copyOf(entry, entry.length - MARK.length);
  }

  // ------------------------------------------------------------------ an index is built

  /** From now on nobody changes the records, until an index is built or {@link #reopen}. */
  void close() {
    while (true) {
      List<TablePage.Entry> front = there();
      byte[] before = front.getFirst().value();
      check(before);
      if (front.size() == Look.Entries.MAX_ENTRIES) {
        throw UpcallException.of(
            new Failure.TooLarge(
                "the number of indexes ever built of " + path, front.size(), front.size() - 1));
      }
      byte[] marked = Arrays.copyOf(before, before.length + MARK.length);
      try {
        store.ask(
            new Change.Batch(
                List.of(
                    replace(before, marked),
                    new TableRequest.PutEntry(path, fence(front.size()), new byte[0])),
                Durability.SYNC));
        return;
      } catch (UpcallException.VersionMismatch idsWereTaken) {
        // Again, from what is there now.
      }
    }
  }

  /** Lets the records be changed as before, unless somebody has done that. */
  void reopen() {
    byte[] marked = there().getFirst().value();
    if (isMarked(marked)) {
      try {
        store.ask(new Change.Batch(List.of(replace(marked, unmarked(marked))), Durability.SYNC));
      } catch (UpcallException.VersionMismatch somebodyElseHas) {
        // Nothing is left to do.
      }
    }
  }

  private static byte[] fence(long number) {
    return ByteBuffer.allocate(2 * Long.BYTES).put(KEY).putLong(number).array();
  }

  /**
   * The first request of a change of records: nobody has begun to build an index since now. Refuses
   * to go on when somebody has built another one since the records were opened.
   */
  FileRequest guard() {
    List<TablePage.Entry> front = there();
    check(front.getFirst().value());
    return new TableRequest.RemoveEntry(path, fence(front.size()), Expect.ABSENT);
  }

  /** The entry before the records, which must be there. */
  private List<TablePage.Entry> there() {
    List<TablePage.Entry> front = front();
    if (front.isEmpty()) {
      throw UpcallException.of(new Failure.NotFound("the ids of " + path));
    }
    return front;
  }

  /** Refuses to go on when the indexes are others than when the records were opened. */
  void check() {
    check(there().getFirst().value());
  }

  private void check(byte[] entry) {
    if (isMarked(entry)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "an index of %s is being built, or its building has stopped: open it again after that"
                  .formatted(path)));
    }
    if (!isOfThese(entry)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s has other indexes than when it was opened (now %s): open it again with these"
                  .formatted(path, indexes(entry))));
    }
  }

  /**
   * Refuses to open with other indexes than the table has. An index that is being built holds the
   * entry locked; one of which the program has ended does not, and is given up.
   */
  void checkOpening(byte[] entry) {
    if (isMarked(entry) && isOfThese(unmarked(entry))) {
      reopen();
      checkOpening(there().getFirst().value());
    } else if (!isOfThese(entry)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s has the indexes %s: open it with all of them and no others, and build a new one then"
                  .formatted(path, indexes(entry))));
    }
  }

  /** An id that nobody has had; refused as {@link #check()} says. */
  synchronized long take() {
    check();
    long now = store.stat(path).id();
    if (now != table) {
      table = now; // another one stands there, in which the ids of the block may be taken
      next = end;
    }
    while (next == end) {
      byte[] before = there().getFirst().value();
      check(before);
      long first = counter(before);
      FileRequest taking =
          new TableRequest.PutEntry(path, KEY, entry(first + BLOCK), Expect.value(before));
      try {
        store.ask(new Change.Batch(List.of(taking), Durability.ASYNC));
        next = first;
        end = first + BLOCK;
      } catch (UpcallException.VersionMismatch somebodyElseWasQuicker) {
        // Again, from what is there now.
      }
    }
    return next++;
  }

  private static long counter(byte[] entry) {
    return ByteBuffer.wrap(entry).getLong();
  }
}
