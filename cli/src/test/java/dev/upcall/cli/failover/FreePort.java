package dev.upcall.cli.failover;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Ports for servers that are told where to listen. Between the look for one and the server's start,
 * and while a store has no owner, nobody has it: so it is none of those that the kernel gives to
 * whoever asks for any, where there are others.
 */
final class FreePort {
  private static final Path GIVEN = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int FIRST = 10_000;

  /** Other builds on the machine begin elsewhere. */
  private static final int STEP = 131;

  private FreePort() {}

  /** One at which nobody listens on this machine's own address. */
  static int find() throws IOException {
    int count = Math.max(0, firstGiven() - FIRST);
    long begin = ProcessHandle.current().pid() * STEP;
    for (int i = 0; i < count; i++) {
      int port = FIRST + (int) ((begin + i) % count);
      try {
        return bound(port);
      } catch (BindException taken) {
        // The next one.
      }
    }
    return bound(0);
  }

  private static int bound(int port) throws IOException {
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** The kernel says it to the first read alone: that must be one of all bytes. */
  private static int firstGiven() throws IOException {
    if (!Files.isReadable(GIVEN)) {
      return 0;
    }
    try (BufferedReader range = Files.newBufferedReader(GIVEN)) {
      return Integer.parseInt(range.readLine().split("\\s+")[0]);
    }
  }
}
