package dev.upcall.table;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Look;
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
 */
final class RecordIds {
  /** So many ids are taken at once. */
  static final int BLOCK = 64;

  static final byte[] KEY = Records.ID.encode(0L);

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

  /** The entry, if the table is not new. */
  Optional<byte[]> entry() {
    return store.ask(new Look.Entry(path, KEY));
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

  /** Puts these indexes into an entry. */
  FileRequest replace(byte[] before) {
    return new TableRequest.PutEntry(path, KEY, entry(counter(before)), Expect.value(before));
  }

  private byte[] entry(long nextId) {
    return ByteBuffer.allocate(Long.BYTES + indexes.length).putLong(nextId).put(indexes).array();
  }

  /** Refuses to go on when somebody has built another index since the records were opened. */
  void check() {
    check(there());
  }

  /** The entry, which is there. */
  private byte[] there() {
    return entry()
        .orElseThrow(() -> UpcallException.of(new Failure.NotFound("the ids of " + path)));
  }

  /** As {@link #check()}, of an entry. */
  void check(byte[] entry) {
    if (!isOfThese(entry)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s has other indexes than when it was opened (now %s): open it again with these"
                  .formatted(path, indexes(entry))));
    }
  }

  /** Refuses to open with other indexes than the table has. */
  void checkOpening(byte[] entry) {
    if (!isOfThese(entry)) {
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
      byte[] before = there();
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
