package dev.upcall.bench.workload;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;

/** Which file of a SPECweb96-style set comes next, and whether it is read or put anew. */
public final class FileSetDraws {
  private static final long SEED = 1996;
  private static final byte[] FILLER = filler(1 << 20);

  private final Table table;
  private final Draws draws;
  private final SplittableRandom changes;

  /** Not zeros, which take no room. */
  private static byte[] filler(int bytes) {
    byte[] filler = new byte[bytes];
    new Random(SEED).nextBytes(filler);
    return filler;
  }

  /**
   * The names and contents of a set, for any number of threads.
   *
   * @param set the files
   * @param rewritePercent how many cycles in a hundred put the file anew
   */
  public record Table(FileSet set, Wanted[] files, int rewritePercent) {
    public static Table of(FileSet set, int rewritePercent) {
      Wanted[] files = set.entries().map(Wanted::of).toArray(Wanted[]::new);
      return new Table(set, files, rewritePercent);
    }

    private Wanted of(FileSet.Entry entry) {
      int place =
          entry.directory() * FileSet.FILES_PER_DIRECTORY
              + entry.sizeClass() * FileSet.FILES_PER_CLASS
              + entry.file();
      return files[place];
    }
  }

  /**
   * A file.
   *
   * @param path where it lies in the store
   * @param sizeBytes how long it is
   * @param first its first byte
   * @param last its last byte
   */
  public record Wanted(String path, int sizeBytes, byte first, byte last) {
    private static Wanted of(FileSet.Entry entry) {
      int size = entry.sizeBytes();
      return new Wanted("/" + entry.path(), size, entry.byteAt(0), entry.byteAt(size - 1));
    }

    /** Fails when this is not what the file holds, as far as its ends tell. */
    public void check(byte[] bytes) {
      if (bytes.length != sizeBytes || bytes[0] != first || bytes[sizeBytes - 1] != last) {
        throw new IllegalStateException(path + " was read wrong: " + bytes.length + " bytes");
      }
    }

    /** Content to put, an array of its own: its ends are the old ones, so that checks go on. */
    public byte[] newContent() {
      byte[] content = Arrays.copyOf(FILLER, sizeBytes);
      content[0] = first;
      content[sizeBytes - 1] = last;
      return content;
    }
  }

  /** The sequence of one of the chains or threads of an application. */
  public FileSetDraws(Table table, int worker) {
    this.table = table;
    this.draws =
        new Draws(new Mix(table.set(), FileWeights.POISSON5, Popularity.UNIFORM), SEED, worker);
    this.changes = new SplittableRandom(SEED + worker);
  }

  /** The next file. */
  public Wanted next() {
    return table.of(draws.next());
  }

  /** Whether the next cycle puts its file anew. */
  public boolean isRewrite() {
    return table.rewritePercent() > 0 && changes.nextInt(100) < table.rewritePercent();
  }
}
