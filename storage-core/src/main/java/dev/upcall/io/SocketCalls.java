package dev.upcall.io;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** What is asked of sockets that the ring has no entry for. Never blocks; any thread. */
public final class SocketCalls {
  private static final short AF_INET = 2;
  private static final int IPV4 = 4;
  private static final int IPV4_BYTES = 4;
  private static final int IPV6 = 8;
  private static final int IPV6_BYTES = 16;

  /** {@code struct sockaddr_in6}, the largest of those that matter. */
  private static final int ADDRESS_BYTES = 28;

  private static final int LENGTH = 32;

  private final LibC system = new LibC();

  /**
   * Whom a connected socket of the internet's families connects to; null if it no longer does.
   *
   * @param scratch 64 bytes that are written over
   */
  public @Nullable InetAddress peer(int fd, MemorySegment scratch) {
    MemorySegment length = scratch.asSlice(LENGTH, Integer.BYTES);
    length.set(ValueLayout.JAVA_INT, 0, ADDRESS_BYTES);
    if (system.peer(fd, scratch, length) < 0) {
      return null;
    }
    boolean four = scratch.get(ValueLayout.JAVA_SHORT, 0) == AF_INET;
    byte[] address = new byte[four ? IPV4_BYTES : IPV6_BYTES];
    MemorySegment.copy(
        scratch, ValueLayout.JAVA_BYTE, four ? IPV4 : IPV6, address, 0, address.length);
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("an address of the kernel's", impossible);
    }
  }

  /** Tells a socket's peer that no more will be sent; one that is gone need not hear it. */
  public void finishOutput(int fd) {
    int ignored = system.finishOutput(fd);
  }
}
