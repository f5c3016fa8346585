package dev.upcall.bench.entrant;

import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.Blocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** Files that experiments read. */
public final class Inputs {
  /** The one file of a volume made here. */
  public static final String FILE = "/large.bin";

  private static final int PIECE_BYTES = 1 << 20;

  private Inputs() {}

  /** The cap of volumes: small when inputs are tiny, since a new volume's log is written. */
  public static long capBytes(Lab lab) {
    return lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0);
  }

  /**
   * What is created.
   *
   * @param depth commits outstanding
   * @param batch files of a commit
   * @param bytes of a file
   */
  public record Creation(int depth, int batch, int bytes) {}

  /** The options of a worker that creates files. */
  public static Map<String, ?> creation(Lab lab, Path volume, String disk, Creation what) {
    return Map.of(
        "volume", volume,
        "disk", disk,
        "depth", what.depth(),
        "batch", what.batch(),
        "bytes", what.bytes(),
        "cap", capBytes(lab));
  }

  /** A plain file of {@link Blocks}, on the device and not only in the page cache. */
  public static void plainFile(Path path, long bytes) throws IOException {
    Blocks blocks = new Blocks(1);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        blocks.fill(at / Blocks.BYTES, piece.clear());
        piece.flip();
        while (piece.hasRemaining()) {
          file.write(piece);
        }
      }
      file.force(true);
    }
  }

  /** A volume with one such file in it. */
  public static void volume(Lab lab, Path path, long bytes) {
    volume(lab, path, bytes, UpcallConfig.DEFAULT);
  }

  /** The same with more settings. */
  public static void volume(Lab lab, Path path, long bytes, UpcallConfig config) {
    Upcall.create(path, config.withCapBytes(capBytes(lab))).close();
    addFile(path, bytes, config);
  }

  /** One such file more in a volume. */
  public static void addFile(Path volume, long bytes) {
    addFile(volume, bytes, UpcallConfig.DEFAULT);
  }

  private static void addFile(Path volume, long bytes, UpcallConfig config) {
    Blocks blocks = new Blocks(1);
    byte[] piece = new byte[PIECE_BYTES];
    try (Upcall store = Upcall.open(volume, config);
        Upcall.PutStream out = store.put(FILE, PutOptions.DEFAULT)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        blocks.fill(at / Blocks.BYTES, ByteBuffer.wrap(piece));
        out.write(piece, 0, piece.length);
      }
      out.commit();
    }
  }
}
