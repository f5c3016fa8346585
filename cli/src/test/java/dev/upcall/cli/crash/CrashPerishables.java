package dev.upcall.cli.crash;

import dev.upcall.Expiry;
import dev.upcall.FileInfo;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Files with a time to live, put one after the other under a few names: some are gone in a moment,
 * the others outlive every test. What lives long is there, whole, whatever became of the process;
 * what has expired is not, and its name is free for the next.
 */
final class CrashPerishables {
  static final int NAMES = 12;
  private static final String DIRECTORY = "/perishables";
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONG_NANOS = TimeUnit.DAYS.toNanos(30);

  private CrashPerishables() {}

  /**
   * A file.
   *
   * @param number of the operation that puts it, from 0 on
   */
  private record Perishable(long number, boolean isShort, CrashModel.Piece piece) {
    static Perishable of(long seed, long number) {
      SplittableRandom random = new SplittableRandom(seed * 37 + number);
      int sizeBytes = random.nextInt(random.nextInt(4) == 0 ? 300_000 : 9_000);
      CrashModel.Piece piece = new CrashModel.Piece(random.nextLong(), sizeBytes);
      return new Perishable(number, random.nextBoolean(), piece);
    }

    String name() {
      return "p" + number % NAMES;
    }
  }

  static Path journal(Path folder) {
    return Journal.path(folder, "perishables");
  }

  /** Puts files until the process dies. */
  static void work(Upcall store, Path folder, long seed) throws IOException {
    store.createDirectories(DIRECTORY);
    Path path = journal(folder);
    try (Journal journal = new Journal(path)) {
      for (long done = Journal.count(path); ; done++) {
        Perishable next = Perishable.of(seed, done);
        store.write(
            DIRECTORY + "/" + next.name(),
            CrashModel.bytes(next.piece()),
            PutOptions.DEFAULT.withExpiry(
                new Expiry.After(next.isShort() ? SHORT_NANOS : LONG_NANOS)));
        journal.acknowledged(done + 1);
      }
    }
  }

  /** Throws when what is there is not what was put last under its name, or is there too long. */
  static void compare(Upcall store, Path folder, long seed) throws IOException {
    long done = Journal.count(journal(folder));
    Map<String, Perishable> last = new TreeMap<>();
    for (long number = Math.max(0, done - NAMES); number < done; number++) {
      Perishable each = Perishable.of(seed, number);
      last.put(each.name(), each);
    }
    Perishable underWay = Perishable.of(seed, done);
    Map<String, FileInfo> there = new TreeMap<>();
    long before = now();
    if (store.exists(DIRECTORY)) {
      store.forEach(DIRECTORY, info -> there.put(info.name(), info));
    }
    for (FileInfo info : there.values()) {
      Comparison.check(
          info.times().expiresNanos() > before, info.name() + " is there although it has expired");
    }
    for (int i = 0; i < NAMES; i++) {
      String name = "p" + i;
      Perishable acknowledged = last.get(name);
      boolean mayBeNewer = name.equals(underWay.name());
      FileInfo info = there.get(name);
      if (info == null) {
        boolean lives = acknowledged != null && !acknowledged.isShort();
        Comparison.check(
            !lives || mayBeNewer && underWay.isShort(), name + " is gone before its time");
      } else {
        byte[] found = store.readAllBytes(DIRECTORY + "/" + name);
        Comparison.check(
            isWhole(found, info, acknowledged) || mayBeNewer && isWhole(found, info, underWay),
            name + " is not what was put");
      }
    }
  }

  private static boolean isWhole(byte[] found, FileInfo info, @Nullable Perishable put) {
    return put != null
        && info.times().expiresNanos() - now() > SHORT_NANOS == !put.isShort()
        && Arrays.equals(found, CrashModel.bytes(put.piece()));
  }

  private static long now() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
  }
}
