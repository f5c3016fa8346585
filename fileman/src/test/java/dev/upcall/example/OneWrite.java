package dev.upcall.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.DiskKind;
import io.netty.channel.uring.IoUring;
import java.nio.file.Path;
import java.util.List;

/** A program for {@link FlagsTest}: writes one file, and says whether it could. */
public final class OneWrite {
  /** The state machines over a pool of threads. */
  static final String CHANNEL = "CHANNEL";

  private static final String THREADS = "THREADS";

  /** That, the engine of threads, and io_uring where the kernel has it. */
  static final List<String> ALL =
      IoUring.isAvailable() ? List.of(CHANNEL, THREADS, "RING") : List.of(CHANNEL, THREADS);

  private OneWrite() {}

  /** The volume's path, and one of {@link #ALL}. */
  public static void main(String[] args) {
    UpcallConfig config =
        args[1].equals(THREADS)
            ? UpcallConfig.DEFAULT.withEngine(Engine.THREADS)
            : UpcallConfig.DEFAULT.withDisk(DiskKind.valueOf(args[1]));
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), config)) {
      store.write("/a", "content".getBytes(UTF_8));
      System.out.println("done");
    } catch (UpcallException refused) {
      System.err.println(refused.getMessage());
      System.out.println("refused");
    }
  }
}
