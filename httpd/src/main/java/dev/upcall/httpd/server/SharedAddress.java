package dev.upcall.httpd.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Two sockets that listen on one address ({@code SO_REUSEPORT}), on Linux: which of them gets the
 * connections that begin, and how many wait at one.
 *
 * <p>A connection belongs to the socket that got its first segment. When that socket closes, the
 * kernel resets what it has not accepted; so first all new ones are sent to the other, and then
 * what waits is accepted.
 */
final class SharedAddress {
  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** {@code struct sock_filter} of "return a constant": which socket of the group, by its place. */
  private static final short BPF_RET_K = 6;

  private static final int FILTER_BYTES = 8;
  private static final int FILTER_CONSTANT = 4;

  /** {@code struct sock_fprog} of the 64-bit ABIs: how many filters, and where. */
  private static final int PROGRAM_BYTES = 16;

  private static final int PROGRAM_FILTERS = 8;

  /** The place of the socket that was there first. */
  static final int FIRST = 0;

  /** The place of the one that came later, until the first is gone. */
  static final int SECOND = 1;

  /** Of {@code struct tcp_info}: for a socket that listens, how many wait to be accepted. */
  private static final int INFO_WAITING = 24;

  private static final ChannelOption<ByteBuffer> STEERING =
      new RawUnixChannelOption(
          "SO_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, PROGRAM_BYTES);
  private static final ChannelOption<ByteBuffer> INFO =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, INFO_WAITING + Integer.BYTES);

  private SharedAddress() {}

  /**
   * All connections that begin from now on go to the socket of a place. Where there is none, as
   * when the first is gone, the kernel takes the one that is left.
   *
   * @param one of the two
   * @throws io.netty.channel.ChannelException also when it is alone and always was
   */
  static void giveAll(Channel one, int place) {
    ByteBuffer filter =
        ByteBuffer.allocateDirect(FILTER_BYTES)
            .order(ByteOrder.nativeOrder())
            .putShort(0, BPF_RET_K)
            .putInt(FILTER_CONSTANT, place);
    ByteBuffer program =
        ByteBuffer.allocateDirect(PROGRAM_BYTES)
            .order(ByteOrder.nativeOrder())
            .putShort(0, (short) 1)
            .putLong(PROGRAM_FILTERS, MemorySegment.ofBuffer(filter).address());
    try {
      one.config().setOption(STEERING, program);
    } finally {
      Reference.reachabilityFence(filter);
    }
  }

  /** How many connections wait to be accepted. */
  static int waiting(Channel listening) {
    return listening.config().getOption(INFO).order(ByteOrder.nativeOrder()).getInt(INFO_WAITING);
  }
}
