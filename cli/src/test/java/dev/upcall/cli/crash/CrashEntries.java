package dev.upcall.cli.crash;

import dev.upcall.Upcall;
import dev.upcall.table.Codecs;
import dev.upcall.table.SortedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a table under a few keys, with values that stand in the tree and values that are
 * content, which come, are replaced by each other, and go. The last acknowledged state is there,
 * whole and by ranges; that content came back exactly once the verification says.
 */
final class CrashEntries {
  static final int KEYS = 12;
  private static final String TABLE = "/entries";

  private CrashEntries() {}

  /**
   * An operation.
   *
   * @param value null if the entry goes
   */
  private record Operation(int key, CrashModel.@Nullable Piece value) {
    static Operation of(long seed, long number) {
      SplittableRandom random = new SplittableRandom(seed * 41 + number);
      int sizeBytes =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(300_000);
            case 1 -> random.nextInt(9_000);
            default -> random.nextInt(1_200);
          };
      boolean isPut = random.nextInt(5) > 0;
      CrashModel.Piece piece = new CrashModel.Piece(random.nextLong(), sizeBytes);
      return new Operation((int) (number % KEYS), isPut ? piece : null);
    }

    byte @Nullable [] bytes() {
      return value == null ? null : CrashModel.bytes(value);
    }
  }

  static Path journal(Path folder) {
    return Journal.path(folder, "entries");
  }

  private static SortedTable<Integer, byte[]> table(Upcall store) {
    return store.sortedTable(TABLE, Codecs.INT, Codecs.BYTES);
  }

  /** Changes entries until the process dies. */
  static void work(Upcall store, Path folder, long seed) throws IOException {
    SortedTable<Integer, byte[]> table = table(store);
    Path path = journal(folder);
    try (Journal journal = new Journal(path)) {
      for (long done = Journal.count(path); ; done++) {
        Operation next = Operation.of(seed, done);
        byte[] value = next.bytes();
        if (value == null) {
          table.remove(next.key());
        } else {
          table.put(next.key(), value);
        }
        journal.acknowledged(done + 1);
      }
    }
  }

  /** Throws when an entry is not what was acknowledged last, or what was under way. */
  static void compare(Upcall store, Path folder, long seed) throws IOException {
    long done = Journal.count(journal(folder));
    if (!store.exists(TABLE)) {
      Comparison.check(done == 0, "the table is gone");
      return;
    }
    SortedTable<Integer, byte[]> table = table(store);
    Operation underWay = Operation.of(seed, done);
    int there = 0;
    for (int key = 0; key < KEYS; key++) {
      byte[] found = table.get(key).orElse(null);
      there += found == null ? 0 : 1;
      boolean isRight =
          Arrays.equals(found, acknowledged(seed, done, key))
              || key == underWay.key() && Arrays.equals(found, underWay.bytes());
      Comparison.check(isRight, "entry " + key + " is not what was put");
      compareRange(table, key, found);
    }
    Comparison.check(table.count() == there, "%d entries of %d".formatted(there, table.count()));
  }

  private static byte @Nullable [] acknowledged(long seed, long done, int key) {
    for (long number = done - 1; number >= Math.max(0, done - KEYS); number--) {
      Operation operation = Operation.of(seed, number);
      if (operation.key() == key) {
        return operation.bytes();
      }
    }
    return null;
  }

  private static void compareRange(
      SortedTable<Integer, byte[]> table, int key, byte @Nullable [] value) {
    int from = value == null ? 0 : value.length / 3;
    Optional<byte[]> range = table.read(key, from, 100);
    Comparison.check(
        value == null
            ? range.isEmpty()
            : Arrays.equals(
                range.orElseThrow(),
                Arrays.copyOfRange(value, from, Math.min(value.length, from + 100))),
        "a range of entry " + key + " is another one");
  }
}
