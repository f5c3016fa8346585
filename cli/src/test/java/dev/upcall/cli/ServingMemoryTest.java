package dev.upcall.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of its own serves a store with the flags of the launcher, while many clients at once
 * bring large files: it never has more memory than the store's and the stated rest.
 */
@Tag("long")
class ServingMemoryTest {
  private static final String BEGIN = "flags=\"";
  private static final int MEMORY_MIB = 64;
  private static final int CLIENTS = 200;
  private static final int FILES = 1_000;
  private static final int FILE_BYTES = 1_000_000;

  @TempDir Path folder;

  private static List<String> flags() throws IOException {
    String first =
        Files.readAllLines(Path.of("../upcall")).stream()
            .filter(line -> line.startsWith(BEGIN))
            .findFirst()
            .orElseThrow();
    return List.of(first.substring(BEGIN.length(), first.length() - 1).split(" ", -1));
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
    command.add("--memory=" + MEMORY_MIB + "m");
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
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
      }
    }
    throw new AssertionError("no peak");
  }

  @Test
  void manyUploadsAtOnceTakeNoMoreThanIsStated() throws Exception {
    Process process = serve();
    try {
      int port = port(process);
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
    } finally {
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }
  }

  private static String put(int port, int file) {
    String head = "PUT /f" + file + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ";
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write((head + FILE_BYTES + "\r\n\r\n").getBytes(US_ASCII));
      socket.getOutputStream().write(new byte[FILE_BYTES]);
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
