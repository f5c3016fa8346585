package dev.upcall.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.TestCertificates;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.MemoryChoice;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server over TLS with rules, access log and resumable uploads, whose certificate and rules are
 * replaced and whose log is rotated every few seconds, under clients that read, write and break
 * off. Afterwards it has no more descriptors, threads and memory than it may, and each request has
 * its line. {@code -Dupcall.soak.seconds=1200} makes it longer, and it prints how things go.
 */
@Tag("long")
class SoakTest {
  private static final int SECONDS = Integer.getInteger("upcall.soak.seconds", 15);
  private static final int CLIENTS = 8;
  private static final int MEMORY_MIB = 64;
  private static final int BETWEEN_RELOADS_MILLIS = 2_000;
  private static final int REPORT_SECONDS = 30;

  /** The time for a store, a log and connections to be done with what has ended. */
  private static final long SETTLING_SECONDS = 120;

  /** Threads that come when they are first needed: of handshakes, compilers, a waiting command. */
  private static final int LATER_THREADS = 12 + Runtime.getRuntime().availableProcessors();

  @TempDir Path folder;
  private final AtomicReference<Throwable> wrong = new AtomicReference<>();
  private String secret;
  private String token;
  private int reloads;

  @BeforeEach
  void prepare() throws Exception {
    putCertificate(0);
    TestShell shell = new TestShell(folder);
    assertEquals(ExitCode.OK, shell.run("access", "new", "alice"), shell::err);
    String[] made = shell.out().split("\n");
    secret = made[0];
    token = made[1];
    writeRules();
  }

  /** One or the other, both of the authority that clients trust, where the server reads it. */
  private void putCertificate(int which) throws IOException {
    TestCertificates all = TestCertificates.shared();
    String name = which % 2 == 0 ? "server" : "other";
    replace(folder.resolve("server.pem"), all.certificates(name));
    replace(folder.resolve("server.key"), all.key(name));
  }

  private void replace(Path file, Path by) throws IOException {
    Path next = Files.copy(by, folder.resolve("next"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private void writeRules() throws IOException {
    String other = reloads % 2 == 0 ? "allow read /toggled anyone" : "allow write /toggled alice";
    Path next = folder.resolve("next-rules");
    Files.writeString(
        next,
        token
            + "\nallow read,list / anyone\nallow write / alice\n"
            + "allow read,list,write /own alice\nallow read,list,write /hidden nobody\n"
            + other
            + "\n");
    Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    Files.move(next, folder.resolve("rules"), StandardCopyOption.REPLACE_EXISTING);
  }

  private ServingProcess serve() throws IOException {
    List<String> words = new ArrayList<>(List.of("serve", "--create", "--store=s", "--writable"));
    words.addAll(List.of("--port=0", "--admin-port=0", "--json", "--volume-size=1g"));
    words.addAll(List.of("--memory=" + MEMORY_MIB + "m", "--resumable-uploads"));
    words.addAll(List.of("--access=rules", "--access-log=log"));
    words.addAll(List.of("--tls-cert=server.pem", "--tls-key=server.key"));
    return ServingProcess.start(
        folder,
        ProcessBuilder.Redirect.to(folder.resolve("complaints").toFile()),
        List.of("-Dio.netty.leakDetection.level=simple"),
        words);
  }

  @Test
  void nothingIsLostOrLeft() throws Exception {
    ServingProcess server = serve();
    try {
      URI site = URI.create("https://localhost:" + server.number("port"));
      URI meters = URI.create("http://127.0.0.1:" + server.number("adminUrl") + "/metrics");
      long descriptors = server.descriptors();
      long threads = server.status("Threads");
      load(server, site);
      if (wrong.get() != null) {
        throw new AssertionError(Files.readString(folder.resolve("complaints")), wrong.get());
      }
      awaitDescriptors(server, descriptors);
      report(server);
      assertTrue(server.status("Threads") <= threads + LATER_THREADS, "threads");
      long limitMib = MEMORY_MIB + (MemoryChoice.FIXED_BYTES >> 20);
      assertTrue(server.mib("VmHWM") <= limitMib, server.mib("VmHWM") + " MiB");
      assertEachRequestHasItsLine(meters);
    } finally {
      server.process().destroy();
      assertTrue(server.process().waitFor(60, TimeUnit.SECONDS));
    }
    String complaints = Files.readString(folder.resolve("complaints"));
    assertFalse(complaints.contains("xception"), complaints);
    assertFalse(complaints.contains("LEAK"), complaints);
  }

  private void load(ServingProcess server, URI site) throws Exception {
    SSLContext trust = TestCertificates.shared().client();
    try (HttpClient client = HttpClient.newBuilder().sslContext(trust).build()) {
      new SoakClient(CLIENTS, site, secret, client, trust).fill();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        SoakClient one = new SoakClient(i, site, secret, client, trust);
        clients.add(Thread.startVirtualThread(() -> soak(one, end)));
      }
      disturb(server, end);
      for (Thread one : clients) {
        one.join();
      }
    }
  }

  private void soak(SoakClient one, long end) {
    try {
      while (System.nanoTime() < end && wrong.get() == null) {
        one.step();
      }
    } catch (Throwable failed) {
      wrong.compareAndSet(null, failed);
    }
  }

  /** Reloads and rotates until the end. */
  private void disturb(ServingProcess server, long end) throws Exception {
    long nextReport = System.nanoTime();
    while (System.nanoTime() < end && wrong.get() == null) {
      if (System.nanoTime() >= nextReport) {
        report(server);
        nextReport += TimeUnit.SECONDS.toNanos(REPORT_SECONDS);
      }
      assertFalse(server.process().waitFor(BETWEEN_RELOADS_MILLIS, TimeUnit.MILLISECONDS));
      reloads++;
      putCertificate(reloads);
      writeRules();
      TestShell shell = new TestShell(folder);
      assertEquals(ExitCode.OK, shell.run("reload", "s"), shell::err);
      Path log = folder.resolve("log");
      if (reloads % 2 == 0 && Files.exists(log)) {
        Files.move(log, folder.resolve("log." + reloads));
      }
    }
  }

  private void report(ServingProcess server) throws IOException {
    System.out.printf(
        "soak: %d answers, %d broken connections, %d reloads; %d descriptors, %d threads,"
            + " %d MiB, %d MiB at most%n",
        SoakClient.ANSWERS.sum(),
        SoakClient.BROKEN.sum(),
        reloads,
        server.descriptors(),
        server.status("Threads"),
        server.mib("VmRSS"),
        server.mib("VmHWM"));
  }

  private void awaitDescriptors(ServingProcess server, long before) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLING_SECONDS);
    while (server.descriptors() > before) {
      assertTrue(
          System.nanoTime() < until, server.descriptors() + " descriptors, " + before + " before");
      assertFalse(server.process().waitFor(100, TimeUnit.MILLISECONDS));
    }
  }

  /** A request whose head came has one line, a connection without a request one at most. */
  private void assertEachRequestHasItsLine(URI meters) throws Exception {
    String all;
    try (HttpClient plain = HttpClient.newHttpClient()) {
      all = plain.send(HttpRequest.newBuilder(meters).build(), BodyHandlers.ofString()).body();
    }
    long requests = meter(all, "upcall_http_requests_total");
    assertEquals(0, meter(all, "upcall_http_log_dropped_total"), "dropped lines");
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLING_SECONDS);
    long lines;
    long withRequest;
    do {
      TimeUnit.MILLISECONDS.sleep(500);
      lines = 0;
      withRequest = 0;
      for (Path log : logs()) {
        List<String> read = Files.readAllLines(log);
        lines += read.size();
        withRequest += read.stream().filter(line -> !line.contains("] \"-\" ")).count();
        assertFalse(read.stream().anyMatch(line -> line.contains(secret)), log::toString);
        assertFalse(read.stream().anyMatch(line -> line.matches(".*upload=[0-9a-f].*")), "an id");
      }
    } while (withRequest != requests && System.nanoTime() < until);
    System.out.printf(
        "soak: %d requests, %d lines, %d about requests%n", requests, lines, withRequest);
    assertEquals(requests, withRequest, "lines about requests");
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().matches("log(\\.\\d+)?")).toList();
    }
  }

  private static long meter(String all, String name) {
    @Nullable String line =
        all.lines().filter(text -> text.startsWith(name + " ")).findFirst().orElse(null);
    if (line == null) {
      throw new AssertionError(name + " is not in " + all);
    }
    return (long) Double.parseDouble(line.substring(name.length() + 1));
  }
}
