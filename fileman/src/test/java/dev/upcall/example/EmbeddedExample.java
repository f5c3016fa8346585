package dev.upcall.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The store inside a program. */
public final class EmbeddedExample {
  /** Keeps some letters in a volume and reads them back. */
  public static void main(String[] args) throws IOException {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(64L << 20);
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), config)) {
      // Durable when the call returns; after a crash all of it or nothing.
      store.createDirectory("/letters", true);
      store.write("/letters/first.txt", "Hello, store".getBytes(UTF_8));

      // A file of any size in bounded memory; nobody sees it before the commit.
      try (Upcall.PutStream out = store.put("/letters/long.txt", PutOptions.DEFAULT)) {
        for (int line = 1; line <= 100_000; line++) {
          out.write(("line " + line + "\n").getBytes(UTF_8));
        }
        out.commit();
      }

      // Many changes as one: all or nothing.
      StorePath from = StorePath.of("/letters/first.txt");
      StorePath to = StorePath.of("/letters/1.txt");
      store.batch(
          List.of(
              new FileRequest.Rename(from, to, true),
              new FileRequest.SetProperty("example.letters", new byte[] {2})));

      System.out.println(new String(store.readAllBytes("/letters/1.txt"), UTF_8));
      store.forEach("/letters", file -> System.out.println(file.name() + " " + file.sizeBytes()));
    }
  }
}
