package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.Programs;
import dev.upcall.bench.worker.Worker;
import dev.upcall.httpd.HttpConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/**
 * A web server of the files below a folder.
 *
 * @param name for tables
 * @param role what it is
 * @param isJvm whether it has a compiler to wait for
 * @param opening starts it
 */
public record Server(String name, Role role, boolean isJvm, Opening opening) {
  /** What a JVM is started with that writes files of a queue. */
  public static final List<String> QUEUE_FLAGS =
      List.of(
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private static final long OPEN_SECONDS = 300;
  private static final String MAIN = "dev.upcall.cli.Main";
  private static final String ONE = Integer.toString(Cores.SERVER);

  /** Another server under another name and in another role. */
  public Server(String name, Role role, Server other) {
    this(name, role, other.isJvm(), other.opening());
  }

  /** Starts a server. */
  @FunctionalInterface
  public interface Opening {
    Live open(Lab lab) throws IOException, InterruptedException;
  }

  /**
   * A server that listens on this machine.
   *
   * @param child its process
   * @param port where
   * @param trust what accepts its certificate; empty of one without TLS
   */
  public record Live(Child child, int port, Optional<SSLContext> trust) {
    /** One without TLS. */
    Live(Child child, int port) {
      this(child, port, Optional.empty());
    }

    /** Where it answers. */
    String url() {
      return (trust.isPresent() ? "https" : "http") + "://127.0.0.1:" + port;
    }
  }

  /** Ours, as users start it: imported into a store of its own, everything in its memory. */
  public static Server upcall(Path folder, List<String> options) {
    return upcall(folder, List.of(), options);
  }

  /** The same with more flags for its JVM. */
  public static Server upcall(Path folder, List<String> flags, List<String> options) {
    return new Server(
        "upcall", Role.OURS, true, lab -> openUpcall(lab, folder, ONE, flags, options));
  }

  /** The same with a thread for each connection: engine {@code threads} or {@code virtual}. */
  public static Server upcall(Path folder, String engine) {
    Server threads = upcall(folder, List.of("--engine=" + engine));
    return new Server("upcall --engine=" + engine, Role.PEER, threads);
  }

  /**
   * Ours with TLS.
   *
   * @param engine as of {@code --tls-engine}
   */
  public static Server upcallTls(Path folder, ServerCertificate certificate, String engine) {
    Server plain =
        upcall(
            folder,
            List.of(
                "--tls-cert=" + certificate.certificate(),
                "--tls-key=" + certificate.key(),
                "--tls-engine=" + engine));
    return secure("upcall, " + engine, plain, certificate);
  }

  private static Server secure(String name, Server plain, ServerCertificate certificate) {
    return new Server(
        name,
        plain.role(),
        plain.isJvm(),
        lab -> {
          Live live = plain.opening().open(lab);
          return new Live(live.child(), live.port(), Optional.of(certificate.trust()));
        });
  }

  /** Ours where the kernel refuses io_uring. */
  public static Server upcallWithoutRing(Path folder) {
    return new Server(
        "upcall without io_uring",
        Role.OURS,
        true,
        lab ->
            openUpcall(
                lab,
                folder,
                ONE,
                List.of(),
                arguments -> lab.withoutRing(lab.java(MAIN, arguments))));
  }

  /** Ours with so many threads for connections, on all cores. */
  public static Server upcallThreads(Path folder, int threads) {
    List<String> options = List.of("--http-threads=" + threads);
    return new Server(
        "upcall, %d thread%s".formatted(threads, threads == 1 ? "" : "s"),
        Role.OURS,
        true,
        lab -> openUpcall(lab, folder, Cores.ALL, List.of(), options));
  }

  private static Live openUpcall(
      Lab lab, Path folder, String cores, List<String> flags, List<String> options)
      throws IOException, InterruptedException {
    return openUpcall(lab, folder, cores, options, arguments -> lab.java(flags, MAIN, arguments));
  }

  /** Ours, whose process is started by a command that is made of the arguments. */
  private static Live openUpcall(
      Lab lab, Path folder, String cores, List<String> options, UnaryOperator<List<String>> command)
      throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(lab.scratch(), "store-");
    Path volume = home.resolve("site.upcall");
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of("serve", folder.toString(), "--store", volume.toString(), "--port", "0"));
    arguments.add("--json");
    // All load comes from one address.
    arguments.add("--max-connections-per-address=" + HttpConfig.Connections.DEFAULT.max());
    if (lab.settings().quick()) {
      arguments.add("--volume-size=64m");
    }
    String name = "serve-" + home.getFileName();
    arguments.addAll(lab.settings().device().serveOptions(name));
    arguments.addAll(options);
    Child child = start(lab, cores, "upcall serve", command.apply(arguments));
    return live(lab, child, "{", Server::portIn);
  }

  /** The same sessions, codec and loop with the files in memory instead of a store. */
  public static Server ceiling(Path folder) {
    return new Server(
        "no store behind",
        Role.CEILING,
        true,
        lab ->
            live(
                lab,
                start(
                    lab,
                    ONE,
                    "ceiling",
                    Worker.command(lab, "serve-memory", Map.of("folder", folder))),
                "ready",
                line -> (int) Fields.parse(line).number("port")));
  }

  /** Waits for the line that says where it listens; ends it when there is none. */
  static Live live(Lab lab, Child child, String word, ToIntFunction<String> port)
      throws IOException, InterruptedException {
    try {
      return new Live(child, port.applyAsInt(child.await(word, OPEN_SECONDS)));
    } catch (IOException | InterruptedException | RuntimeException broken) {
      lab.terminate(child);
      throw broken;
    }
  }

  /** nginx with one worker, sendfile, a cache of open files and no log. */
  public static Server nginx(Path folder) {
    return nginx("nginx", folder, "", ALONE);
  }

  /** The same with TLS 1.3. */
  public static Server nginxTls(Path folder, ServerCertificate certificate) {
    String files =
        "ssl_certificate %s; ssl_certificate_key %s; ssl_protocols TLSv1.3;"
            .formatted(certificate.certificate(), certificate.key());
    Workers alone = new Workers(ALONE.processes(), "ssl", ALONE.cores());
    return secure("nginx", nginx("nginx", folder, files, alone), certificate);
  }

  /** nginx taking PUTs: it renames them into place, and makes nothing durable. */
  public static Server nginxDav(Path folder) {
    return nginx(
        "nginx dav, not durable", folder, "dav_methods PUT; create_full_put_path on;", ALONE);
  }

  /** nginx with so many workers, each with its part of the connections, on all cores. */
  public static Server nginxWorkers(Path folder, int workers) {
    String name = "nginx, %d worker%s".formatted(workers, workers == 1 ? "" : "s");
    String processes = "user root root; worker_processes " + workers + ";";
    return nginx(name, folder, "", new Workers(processes, "reuseport", Cores.ALL));
  }

  /**
   * Who works in nginx.
   *
   * @param processes which there are
   * @param listening how they share a port, and what is spoken there
   * @param cores on which they run
   */
  private record Workers(String processes, String listening, String cores) {}

  private static final Workers ALONE =
      new Workers("master_process off; worker_processes 1;", "", ONE);

  private static Server nginx(String name, Path folder, String more, Workers workers) {
    return new Server(
        name,
        Role.PEER,
        false,
        lab -> {
          String program = Programs.require("nginx", "nginx-light");
          int port = freePort();
          Path home = Files.createTempDirectory(lab.scratch(), "nginx-");
          Path config = home.resolve("nginx.conf");
          Files.writeString(
              config,
              NGINX.formatted(home, port, folder, more, workers.processes(), workers.listening()));
          List<String> command =
              List.of(program, "-p", home.toString(), "-e", home + "/error.log", "-c", "" + config);
          Live live = new Live(start(lab, workers.cores(), "nginx", command), port);
          Http.awaitListening(port);
          return live;
        });
  }

  private static final String NGINX =
      """
      daemon off; %5$s
      pid %1$s/pid; error_log %1$s/error.log;
      worker_rlimit_nofile 20000;
      events { worker_connections 18000; }
      http {
        access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
        default_type application/octet-stream;
        open_file_cache max=100000 inactive=600s; open_file_cache_valid 600s;
        client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fast;
        uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
        server { listen 127.0.0.1:%2$d backlog=1024 %6$s; root %3$s; %4$s }
      }
      """;

  private static Child start(Lab lab, String cores, String name, List<String> command)
      throws IOException {
    return lab.start(name, lab.cores().pin(cores, command));
  }

  /** The port in what {@code serve --json} says. */
  static int portIn(String json) {
    java.util.regex.Matcher port = java.util.regex.Pattern.compile("\"port\":(\\d+)").matcher(json);
    if (!port.find()) {
      throw new IllegalArgumentException("no port in " + json);
    }
    return Integer.parseInt(port.group(1));
  }

  static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }
}
