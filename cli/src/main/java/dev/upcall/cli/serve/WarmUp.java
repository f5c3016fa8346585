package dev.upcall.cli.serve;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.cli.practice.Practice;
import dev.upcall.cli.queue.QueueService;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.config.TrafficConfig;
import dev.upcall.httpd.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does once, over a small store of its own in the folder for temporary files, what a standby will
 * do at once when its time comes: opens a store as a crash leaves it, and serves it. So the JVM has
 * loaded and linked, and compiled for a start, what that needs.
 */
public final class WarmUp {
  private static final long MEMORY_BYTES = 24L << 20;
  private static final long CAP_BYTES = 64L << 20;
  private static final int FILES = 100;
  private static final int CONTENT_BYTES = 6000;
  private static final int DOWNLOADS = 10;

  private WarmUp() {}

  /**
   * Does it. What goes wrong is said and is no harm but a slower start.
   *
   * @param queue whether requests of a queue will be done, too
   */
  public static void run(
      UpcallConfig config, boolean queue, Shell shell, StoreSharing.Commands commands) {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("upcall-standby");
      UpcallConfig small = small(config);
      serve(
          crashed(folder, small),
          small,
          queue ? folder.resolve("queue") : null,
          commands,
          server -> Practice.once(server, DOWNLOADS));
    } catch (IOException | UpcallException failed) {
      String why = failed instanceof IOException host ? HostWords.of(host) : failed.getMessage();
      shell.say("standby: could not warm up, so the start will take longer: " + why);
    } finally {
      remove(folder, shell);
    }
  }

  /** Does it in an empty folder, which keeps the volumes. */
  public static void run(Path folder, StoreSharing.Commands commands) throws IOException {
    UpcallConfig small = small(UpcallConfig.DEFAULT);
    serve(
        crashed(folder, small), small, null, commands, server -> Practice.once(server, DOWNLOADS));
  }

  private static UpcallConfig small(UpcallConfig config) {
    return config
        .withMemoryBytes(MEMORY_BYTES)
        .withCapBytes(CAP_BYTES)
        .withTraffic(TrafficConfig.NONE);
  }

  /** A volume that was copied while it was open: recovery replays its log. */
  private static Path crashed(Path folder, UpcallConfig config) throws IOException {
    Path first = folder.resolve("first.upcall");
    Path crashed = folder.resolve("crashed.upcall");
    try (Upcall store = Upcall.create(first, config)) {
      for (int i = 0; i < FILES; i++) {
        store.write("/f" + i, new byte[i % 2 == 0 ? CONTENT_BYTES : i]);
      }
      Files.copy(first, crashed);
    }
    return crashed;
  }

  /** Serves a volume, and asks for what clients ask for. */
  private static void serve(
      Path volume,
      UpcallConfig config,
      @Nullable Path queue,
      StoreSharing.Commands commands,
      Clients clients)
      throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpConfig writable = HttpConfig.defaults().withWritable(true);
    try (Upcall store = Upcall.open(volume, config);
        StoreSharing _ = StoreSharing.listen(store, volume, commands);
        QueueService _ = QueueService.open(store, queue);
        WebServer server = WebServer.open(store, null, any, writable)) {
      clients.ask(server.address());
    }
  }

  /** Who asks. */
  @FunctionalInterface
  private interface Clients {
    void ask(InetSocketAddress server) throws IOException;
  }

  private static void remove(@Nullable Path folder, Shell shell) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException failed) {
      shell.say("standby: " + folder + " stays behind: " + HostWords.of(failed));
    }
  }
}
