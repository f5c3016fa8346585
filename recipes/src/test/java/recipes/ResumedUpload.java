package recipes;

import dev.upcall.Existence;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** An upload that goes on where it was when the connection, or the server, went. */
public final class ResumedUpload {
  private static final int PIECE_BYTES = 1 << 20;

  // begin
  private final Upcall store;

  /** How many bytes are there for good: what the client asks before it goes on. */
  long offset(String upload) {
    String path = "/uploads/" + upload;
    return store.exists(path) ? store.stat(path).sizeBytes() : 0;
  }

  /** Takes what follows, as far as it comes; each flush makes it durable so far. */
  void append(String upload, InputStream rest) throws IOException {
    try (Upcall.RandomAccess file = store.open("/uploads/" + upload, OpenMode.CREATE)) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int read = rest.readNBytes(piece, 0, PIECE_BYTES);
          read > 0;
          read = rest.readNBytes(piece, 0, PIECE_BYTES)) {
        file.append(ByteBuffer.wrap(piece, 0, read));
        file.flush();
      }
    }
  }

  /** Shows the whole file under its name, in place of the one before. */
  void finish(String upload, String path) {
    store.rename("/uploads/" + upload, path, Existence.ANY);
  }

  // end

  private ResumedUpload(Upcall store) {
    this.store = store;
    store.createDirectories("/uploads");
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws IOException {
    byte[] film = new byte[5 * PIECE_BYTES + 17];
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      new ResumedUpload(store)
          .append("7f3a", new ByteArrayInputStream(film, 0, 2 * PIECE_BYTES + 5));
    }
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      ResumedUpload uploads = new ResumedUpload(store);
      int there = (int) uploads.offset("7f3a");
      System.out.println("goes on behind " + there + " bytes");
      uploads.append("7f3a", new ByteArrayInputStream(film, there, film.length - there));
      uploads.finish("7f3a", "/film.mp4");
      System.out.println("film of " + store.stat("/film.mp4").sizeBytes() + " bytes");
    }
  }
}
