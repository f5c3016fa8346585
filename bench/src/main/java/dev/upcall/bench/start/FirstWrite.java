package dev.upcall.bench.start;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.peer.DurableStore;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A program that opens a store, writes one file of 4 KiB durably, says {@link #DURABLE}, and closes
 * the store when its input ends. It loads nothing else, so that its start is that of the store.
 */
public final class FirstWrite {
  /** What it says when the file is durable. */
  public static final String DURABLE = "durable";

  /** Our own, as a kind of store. */
  public static final String OURS = "upcall";

  private static final int BYTES = 4096;

  private FirstWrite() {}

  /**
   * The command line.
   *
   * @param store {@link #OURS}, or what {@link DurableStore#open} knows
   * @param directory of its files, made when it is not there
   * @param capBytes of a new volume of ours; 0 for the standard
   * @param name of the file, which must be new
   */
  public static List<String> command(
      Lab lab, String store, Path directory, long capBytes, String name) {
    return lab.java(
        FirstWrite.class.getName(),
        List.of(store, directory.toString(), Long.toString(capBytes), name));
  }

  /** Does it. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[1]);
    byte[] content =
        args[3].repeat(BYTES / args[3].length() + 1).substring(0, BYTES).getBytes(UTF_8);
    if (args[0].equals(OURS)) {
      InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
      Files.createDirectories(directory);
      UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(Long.parseLong(args[2]));
      try (Upcall store = Upcall.openOrCreate(directory.resolve("files.upcall"), config)) {
        store.write("/" + args[3], content);
        tell();
      }
    } else {
      try (DurableStore store = DurableStore.open(args[0], directory)) {
        store.put(args[3], content);
        tell();
      }
    }
  }

  private static void tell() throws IOException {
    System.out.println(DURABLE);
    System.in.transferTo(OutputStream.nullOutputStream());
  }
}
