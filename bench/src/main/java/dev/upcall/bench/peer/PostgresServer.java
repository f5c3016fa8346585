package dev.upcall.bench.peer;

import dev.upcall.bench.host.Child;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server of PostgreSQL with a cluster of its own: in a directory, behind a password in a file
 * that nobody else may read, at a free port of the loopback interface. It has its defaults, by
 * which a commit is durable, and shared buffers of the size of our own memory; all that it keeps is
 * in the directory. It ends when it is closed, and with this process.
 */
final class PostgresServer implements AutoCloseable {
  private static final String USER = "upcall";
  private static final String READY = "database system is ready to accept connections";
  private static final String PORT_TAKEN = "could not bind";
  private static final long START_SECONDS = 60;
  private static final long END_SECONDS = 20;
  private static final long LOOK_MILLIS = 20;

  /** A port that was free a moment ago may be taken. */
  private static final int ATTEMPTS = 3;

  private final Process process;
  private final int port;
  private final String password;
  private final Thread onExit = Thread.ofPlatform().unstarted(this::stop);

  private PostgresServer(Process process, int port, String password) {
    this.process = process;
    this.port = port;
    this.password = password;
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /**
   * Starts the server of a directory's cluster, which is made when it is not there.
   *
   * @param directory that is there, for all its files; given to the account that runs it
   * @throws dev.upcall.bench.host.MissingPeerException when it cannot be run here
   */
  static PostgresServer start(Path directory) throws IOException {
    PostgresPrograms programs = PostgresPrograms.find();
    programs.checkWayTo(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    programs.give(directory);
    Path secret = directory.resolve("password");
    if (!Files.exists(secret)) {
      makeCluster(programs, directory, secret);
    }
    String password = Files.readString(secret);
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      Path log = directory.resolve("server.log");
      PostgresServer server =
          new PostgresServer(
              start(programs.command(programs.server(), arguments(directory, port)), log),
              port,
              password);
      try {
        server.awaitReady(log);
        return server;
      } catch (IOException broken) {
        server.close();
        if (attempt == ATTEMPTS || !Files.readString(log).contains(PORT_TAKEN)) {
          throw broken;
        }
      }
    }
  }

  private static void makeCluster(PostgresPrograms programs, Path directory, Path secret)
      throws IOException {
    Files.createFile(
        secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(secret, UUID.randomUUID().toString());
    programs.give(secret);
    Path log = directory.resolve("initdb.log");
    List<String> arguments =
        List.of(
            "--pgdata=" + data(directory),
            "--username=" + USER,
            "--pwfile=" + secret,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C");
    Process making = start(programs.command(programs.initdb(), arguments), log);
    boolean ended = hasEndedWithin(making, TimeUnit.SECONDS.toMillis(START_SECONDS));
    if (!ended || making.exitValue() != 0) {
      making.descendants().forEach(ProcessHandle::destroyForcibly);
      making.destroyForcibly();
      throw new IOException("initdb made no cluster" + Child.lastLines(Files.readString(log)));
    }
  }

  private static Path data(Path directory) {
    return directory.toAbsolutePath().resolve("data");
  }

  private static List<String> arguments(Path directory, int port) {
    return List.of(
        "-D",
        data(directory).toString(),
        "-c",
        "port=" + port,
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        "-c",
        "shared_buffers=256MB",
        // The other kinds leave segments behind when the server is killed.
        "-c",
        "dynamic_shared_memory_type=mmap");
  }

  private static Process start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C");
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    return builder.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    }
  }

  private void awaitReady(Path log) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!Files.readString(log).contains(READY)) {
      boolean ended = hasEndedWithin(process, LOOK_MILLIS);
      if (ended || System.nanoTime() > deadline) {
        throw new IOException(
            "postgres %s before it was ready%s"
                .formatted(
                    ended ? "ended" : "took more than " + START_SECONDS + " s",
                    Child.lastLines(Files.readString(log))));
      }
    }
  }

  private static boolean hasEndedWithin(Process process, long millis)
      throws InterruptedIOException {
    try {
      return process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("while a program of PostgreSQL was waited for");
    }
  }

  /** A new connection, with the rights of the cluster's owner. */
  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", password);
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(port), properties);
  }

  /** Whoever is still connected is no longer. */
  @Override
  public void close() {
    stop();
    Runtime.getRuntime().removeShutdownHook(onExit);
  }

  /** Ends it with its connections; killed, it would leave a segment of shared memory behind. */
  private void stop() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    CompletableFuture<Process> ended =
        process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS);
    if (ended.join().isAlive()) {
      kill();
    }
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
