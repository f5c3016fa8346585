package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Compression;
import java.nio.file.Path;

/** Reports that are kept compressed, and looked into. */
public final class CompressedReports {
  // begin
  private final Upcall store;

  /** Files that are put below this directory from now on are compressed. */
  void openArchive(String path) {
    store.createDirectories(path);
    store.setMetadata(
        path, LinkPolicy.FOLLOW, MetadataChange.NONE.withCompression(Compression.BALANCED));
  }

  /** Keeps a report, and says how many hundredths of its size it takes. */
  long keep(String path, String report) {
    FileInfo kept = store.write(path, report.getBytes(UTF_8));
    return 100 * kept.stored().bytes() / kept.sizeBytes();
  }

  /** Some bytes out of the middle: the units of 64 KiB that they lie in are read and decoded. */
  String excerpt(String path, long offset, int bytes) {
    return new String(store.read(path, offset, bytes), UTF_8);
  }

  // end

  private CompressedReports(Upcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    StringBuilder report = new StringBuilder();
    for (int line = 0; line < 50_000; line++) {
      report.append("%06d: all is well\n".formatted(line));
    }
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      CompressedReports archive = new CompressedReports(store);
      archive.openArchive("/reports");
      long hundredths = archive.keep("/reports/monday", report.toString());
      System.out.println("a quarter at most: " + (hundredths <= 25));
      System.out.print(archive.excerpt("/reports/monday", 40_000 * 20L, 20));
    }
  }
}
