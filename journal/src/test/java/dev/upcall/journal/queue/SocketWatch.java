package dev.upcall.journal.queue;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Counts and refuses the sockets that Java makes to talk to somebody: those of {@link Socket},
 * which HTTP connections of the JDK are made of, and channels. To be named as the provider of
 * channels. A foreign call could make one unseen; it would be seen only while it is open ({@link
 * #open}).
 */
public final class SocketWatch extends SelectorProvider {
  private static final AtomicInteger ASKED = new AtomicInteger();

  /** Begins to watch; once in a process. */
  @SuppressWarnings("deprecation") // there is no other way without an agent
  static void install() throws IOException {
    Socket.setSocketImplFactory(
        () -> {
          throw new IllegalStateException(refused().getMessage());
        });
  }

  /** How often a socket was asked for. */
  static int asked() {
    return ASKED.get();
  }

  /** The sockets that the process has open. */
  static List<String> open() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.map(SocketWatch::target).filter(t -> t.startsWith("socket")).toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }

  private static IOException refused() {
    ASKED.incrementAndGet();
    return new IOException("no sockets here");
  }

  @Override
  public DatagramChannel openDatagramChannel() throws IOException {
    throw refused();
  }

  @Override
  public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
    throw refused();
  }

  @Override
  public Pipe openPipe() throws IOException {
    throw refused();
  }

  @Override
  public AbstractSelector openSelector() throws IOException {
    throw refused();
  }

  @Override
  public ServerSocketChannel openServerSocketChannel() throws IOException {
    throw refused();
  }

  @Override
  public SocketChannel openSocketChannel() throws IOException {
    throw refused();
  }
}
