package dev.upcall.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.MemoryChoice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of its own serves a store with the flags of the launcher, while many clients at once
 * bring large files: it never has more memory than the store's and the stated rest, and soon after
 * the last of them little more than at its start and what the store keeps.
 */
@Tag("long")
class ServingMemoryTest {
  private static final int MEMORY_MIB = 64;
  private static final int CLIENTS = 1_000;
  private static final int FILES = 1_000;
  private static final byte[] CONTENT = new byte[1_000_000];

  /** What is compiled, loaded and touched meanwhile: young generation, code, classes. */
  private static final int KEPT_MIB = 40;

  /** How soon is soon: the launcher's flag says half a minute, and here a second. */
  private static final long IDLE_MILLIS = 30_000;

  private static final long LOOK_MILLIS = 100;

  @TempDir Path folder;

  private ServingProcess serve() throws IOException {
    List<String> words = new ArrayList<>(List.of("serve"));
    words.add(Files.createDirectory(folder.resolve("tree")).toString());
    words.addAll(List.of("--writable", "--port=0", "--json", "--volume-size=4g"));
    words.addAll(List.of("--busy-timeout=120s", "--memory=" + MEMORY_MIB + "m"));
    return ServingProcess.start(folder, ProcessBuilder.Redirect.INHERIT, List.of(), words);
  }

  /** Waits until a process has given memory back, for a bounded time; returns what it has then. */
  private static long residentMibOnceIdle(ServingProcess process, long wantedMib) throws Exception {
    long deadlineNanos = System.nanoTime() + IDLE_MILLIS * 1_000_000;
    long residentMib = process.mib("VmRSS");
    while (residentMib > wantedMib && System.nanoTime() < deadlineNanos) {
      assertFalse(process.process().waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
      residentMib = process.mib("VmRSS");
    }
    return residentMib;
  }

  @Test
  void manyUploadsAtOnceTakeWhatIsStatedAndGiveItBack() throws Exception {
    ServingProcess process = serve();
    try {
      int port = process.number("port");
      long startMib = process.mib("VmRSS");
      AtomicInteger next = new AtomicInteger();
      AtomicInteger made = new AtomicInteger();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            Thread.startVirtualThread(
                () -> {
                  for (int file = next.getAndIncrement();
                      file < FILES;
                      file = next.getAndIncrement()) {
                    if (put(port, file).startsWith("HTTP/1.1 201 ")) {
                      made.incrementAndGet();
                    }
                  }
                }));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertEquals(FILES, made.get());
      long limitMib = MEMORY_MIB + (MemoryChoice.FIXED_BYTES >> 20);
      long mostMib = process.mib("VmHWM");
      assertTrue(mostMib <= limitMib, mostMib + " MiB of " + limitMib);
      long wantedMib = startMib + MEMORY_MIB + KEPT_MIB;
      long idleMib = residentMibOnceIdle(process, wantedMib);
      assertTrue(idleMib <= wantedMib, idleMib + " MiB when idle, " + startMib + " at the start");
    } finally {
      process.process().destroy();
      assertTrue(process.process().waitFor(60, TimeUnit.SECONDS));
    }
  }

  private static String put(int port, int file) {
    String head = "PUT /f" + file + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ";
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write((head + CONTENT.length + "\r\n\r\n").getBytes(US_ASCII));
      socket.getOutputStream().write(CONTENT);
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
