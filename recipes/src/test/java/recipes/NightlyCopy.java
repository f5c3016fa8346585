package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** All files as they were at one moment, copied while others write. */
public final class NightlyCopy {
  // begin
  static void copy(FsmUpcall store, Path target) {
    store.createSnapshot("tonight"); // stays over a restart, so that a copy can begin anew
    try (UpcallSnapshot files = store.snapshot("tonight")) {
      copy(files, "", target);
    }
    store.dropSnapshot("tonight"); // gives back what only it held
  }

  private static void copy(UpcallReads files, String directory, Path target) {
    try {
      Files.createDirectories(target);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    files.forEach(
        directory.isEmpty() ? "/" : directory,
        entry -> {
          String path = directory + "/" + entry.name();
          if (entry.isDirectory()) {
            copy(files, path, target.resolve(entry.name()));
          } else if (entry.isFile()) {
            try (InputStream content = files.read(path)) {
              Files.copy(content, target.resolve(entry.name()));
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          }
        });
  }

  // end

  private NightlyCopy() {}

  /** The volume's path is the first argument; the copy stands beside it. */
  public static void main(String[] args) throws IOException {
    Path target = Path.of(args[0] + ".copy");
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      store.writeString("/a.txt", "one");
      store.write("/more/b.txt", "two".getBytes(UTF_8), PutOptions.WITH_PARENTS);
      copy(store, target);
      System.out.println(Files.readString(target.resolve("more/b.txt")));
      System.out.println(store.snapshots().snapshots().size() + " snapshots left");
    }
  }
}
