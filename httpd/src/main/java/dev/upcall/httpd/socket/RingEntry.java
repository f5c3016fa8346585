package dev.upcall.httpd.socket;

import io.netty.channel.uring.IoUringIoOps;

/**
 * The entries of the ring that sockets use: the only class that knows how io_uring lays them out. A
 * socket has one of each at a time in the kernel, so that none carries a tag.
 */
final class RingEntry {
  static final byte SEND_MESSAGE = 9;
  static final byte ACCEPT = 13;
  static final byte SEND = 26;
  static final byte RECEIVE = 27;
  private static final byte CANCEL = 14;
  private static final byte CLOSE = 19;

  private static final int EINTR = 4;
  private static final int EAGAIN = 11;
  private static final int ECANCELED = 125;

  private static final short ACCEPT_MULTISHOT = 1;
  private static final short POLL_FIRST = 1;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** A completion's flag: its entry stays armed, and there will be more of them. */
  private static final int MORE = 2;

  /** A completion's flag: the socket has more than was received. */
  private static final int SOCK_NONEMPTY = 4;

  private static final int NO_DESCRIPTOR = -1;

  private RingEntry() {}

  /** Accepts one connection after the other, until that is cancelled or fails. */
  static IoUringIoOps accept(int fd) {
    return entry(ACCEPT, ACCEPT_MULTISHOT, fd, 0, 0, SOCK_CLOEXEC);
  }

  /** Waits in the kernel for the first byte, without a look before, and receives what is there. */
  static IoUringIoOps receive(int fd, long address, int bytes) {
    return entry(RECEIVE, POLL_FIRST, fd, address, bytes, 0);
  }

  /** Receives what is there. */
  static IoUringIoOps receiveNow(int fd, long address, int bytes) {
    return entry(RECEIVE, (short) 0, fd, address, bytes, MSG_DONTWAIT);
  }

  /** Sends bytes that lie at one place: as many as there is room for, and waits for room. */
  static IoUringIoOps send(int fd, long address, int bytes) {
    return entry(SEND, (short) 0, fd, address, bytes, MSG_NOSIGNAL);
  }

  /** Sends what a {@code struct msghdr} names, in the same way. */
  static IoUringIoOps sendMessage(int fd, long header) {
    return entry(SEND_MESSAGE, (short) 0, fd, header, 1, MSG_NOSIGNAL);
  }

  /** Cancels an entry that the kernel has, by what its submission has given. */
  static IoUringIoOps cancel(long id) {
    return entry(CANCEL, (short) 0, NO_DESCRIPTOR, id, 0, 0);
  }

  /** Closes a descriptor. */
  static IoUringIoOps close(int fd) {
    return entry(CLOSE, (short) 0, fd, 0, 0, 0);
  }

  /** Whether more completions of the same entry follow. */
  static boolean staysArmed(int flags) {
    return (flags & MORE) != 0;
  }

  /** Whether a receive has left bytes in the socket. */
  static boolean leftSome(int flags) {
    return (flags & SOCK_NONEMPTY) != 0;
  }

  /** Whether a negative result says no more than that it is to be tried again. */
  static boolean isTransient(int result) {
    return result == -EINTR || result == -EAGAIN;
  }

  /** Whether a result says that the entry was cancelled. */
  static boolean isCancelled(int result) {
    return result == -ECANCELED;
  }

  private static IoUringIoOps entry(
      byte opcode, short priority, int fd, long address, int length, int flags) {
    return new IoUringIoOps(
        opcode, (byte) 0, priority, fd, 0, address, length, flags, 0L, (short) 0, (short) 0, 0, 0);
  }
}
