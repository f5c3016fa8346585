package dev.upcall.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Existence;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import java.io.IOException;
import java.nio.file.Path;

/** The store inside a program. */
public final class EmbeddedExample {
  /** Keeps some letters in a volume and reads them back. */
  public static void main(String[] args) throws IOException {
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      store.createDirectories("/letters");
      store.write("/letters/a.txt", "Hello, store".getBytes(UTF_8)); // durable when it returns
      try (UpcallTransaction both = store.begin()) {
        both.rename("/letters/a.txt", "/letters/b.txt", Existence.ANY);
        both.write("/letters/c.txt", both.readAllBytes("/letters/b.txt"));
        both.commit(); // both or neither, whatever happens; closing without it leaves nothing
      }
      store.forEach("/letters", file -> System.out.println(file.name() + " " + file.sizeBytes()));
    }
  }
}
