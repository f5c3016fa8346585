package dev.upcall.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.DiskKind;
import java.nio.file.Path;

/** A program for {@link FlagsTest}: writes one file, and says whether it could. */
public final class OneWrite {
  private OneWrite() {}

  /** The volume's path, the engine and the disk. */
  public static void main(String[] args) {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withEngine(Engine.valueOf(args[1]))
            .withDisk(DiskKind.valueOf(args[2]));
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), config)) {
      store.write("/a", "content".getBytes(UTF_8));
      System.out.println("done");
    } catch (UpcallException refused) {
      System.err.println(refused.getMessage());
      System.out.println("refused");
    }
  }
}
