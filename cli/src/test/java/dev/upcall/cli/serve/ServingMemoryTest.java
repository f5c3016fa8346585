package dev.upcall.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.Main;
import dev.upcall.cli.option.MemoryChoice;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
  private static final String BEGIN = "long_flags=\"";
  private static final int MEMORY_MIB = 64;
  private static final int CLIENTS = 1_000;
  private static final int FILES = 1_000;
  private static final byte[] CONTENT = new byte[1_000_000];

  /** What is compiled, loaded and touched meanwhile: young generation, code, classes. */
  private static final int KEPT_MIB = 40;

  /** How soon is soon: the launcher's flag says half a minute, and here a second. */
  private static final long IDLE_MILLIS = 30_000;

  private static final long LOOK_MILLIS = 100;
  private static final String TRIM = "-XX:TrimNativeHeapInterval=";

  @TempDir Path folder;

  private static List<String> flags() throws IOException {
    String first =
        Files.readAllLines(Path.of("../upcall")).stream()
            .filter(line -> line.startsWith(BEGIN))
            .findFirst()
            .orElseThrow();
    // On a machine with memory enough for what is tested.
    String enough = first.replace("${young}", "64");
    return Stream.of(enough.substring(BEGIN.length(), enough.length() - 1).split(" ", -1))
        .map(flag -> flag.startsWith(TRIM) ? TRIM + 1_000 : flag)
        .toList();
  }

  private Process serve() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", Files.createDirectory(folder.resolve("tree")).toString()));
    command.addAll(List.of("--writable", "--port=0", "--json", "--volume-size=4g"));
    command.addAll(List.of("--busy-timeout=120s", "--memory=" + MEMORY_MIB + "m"));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int port(Process process) throws IOException {
    BufferedReader said = process.inputReader();
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line);
      int at = all.indexOf("\"port\"");
      if (at >= 0) {
        return Integer.parseInt(all.substring(at).replaceAll("[^0-9]*([0-9]+).*", "$1"));
      }
    }
    throw new AssertionError("it said: " + all);
  }

  /** The most memory that a process has had. */
  private static long mostMib(Process process) throws IOException {
    return statusMib(process, "VmHWM:");
  }

  /** The memory that a process has now. */
  private static long residentMib(Process process) throws IOException {
    return statusMib(process, "VmRSS:");
  }

  private static long statusMib(Process process, String what) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith(what)) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    throw new AssertionError("no " + what);
  }

  /** Waits until a process has given memory back, for a bounded time; returns what it has then. */
  private static long residentMibOnceIdle(Process process, long wantedMib) throws Exception {
    long deadlineNanos = System.nanoTime() + IDLE_MILLIS * 1_000_000;
    long residentMib = residentMib(process);
    while (residentMib > wantedMib && System.nanoTime() < deadlineNanos) {
      assertFalse(process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
      residentMib = residentMib(process);
    }
    return residentMib;
  }

  @Test
  void manyUploadsAtOnceTakeWhatIsStatedAndGiveItBack() throws Exception {
    Process process = serve();
    try {
      int port = port(process);
      long startMib = residentMib(process);
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
      long mostMib = mostMib(process);
      assertTrue(mostMib <= limitMib, mostMib + " MiB of " + limitMib);
      long wantedMib = startMib + MEMORY_MIB + KEPT_MIB;
      long idleMib = residentMibOnceIdle(process, wantedMib);
      assertTrue(idleMib <= wantedMib, idleMib + " MiB when idle, " + startMib + " at the start");
    } finally {
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
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
