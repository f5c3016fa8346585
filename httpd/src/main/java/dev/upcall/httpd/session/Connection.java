package dev.upcall.httpd.session;

import dev.upcall.content.ContentSlice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One accepted stream of bytes as its session sees it: over a socket, or simulated. All methods are
 * called on the dispatcher's thread; everything that happens comes back to the {@link Listener} as
 * an upcall through the dispatcher's FIFO, never inside a call.
 */
public interface Connection {
  /** What a session is told. */
  interface Listener {
    /** Bytes have arrived; the buffer passes to the listener, who releases it. */
    void received(ByteBuf bytes);

    /** The peer will send no more; it may still read. */
    void inputEnded();

    /**
     * One {@link #write} or several were taken whole by the transport, in the order of the writes,
     * and their slices were released.
     *
     * @param bytes their size
     */
    void sent(int bytes);

    /**
     * The stream is gone, lost or closed by {@link #close}: the last upcall, exactly once. All
     * writes that were not reported as sent have failed and their slices were released.
     */
    void closed();
  }

  /** Whose it is; see {@link dev.upcall.httpd.message.ClientAddress}. */
  String address();

  /** The address at the other end; null if that is gone already. */
  @Nullable InetAddress peer();

  /** Whether nobody on the way can read or change what is sent. */
  default boolean isSecure() {
    return false;
  }

  /** Subject alternative names of the client's certificate, which was verified; else none. */
  default List<String> certificateNames() {
    return List.of();
  }

  /** Where heads and pages take their buffers from. */
  ByteBufAllocator allocator();

  /**
   * Sends bytes, then a slice; at least one of both. Both pass to the connection, which releases
   * them when the transport no longer needs them. They leave at the end of the turn.
   */
  void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice);

  /**
   * Goes on or stops taking bytes from the peer. A connection begins with taking them; a few reads
   * that were under way may still be delivered.
   */
  void reading(boolean on);

  /**
   * Tells the peer that no more will be sent. Only when all writes were reported as sent. What
   * still comes is of no interest; that nothing more comes is.
   */
  void finishOutput();

  /**
   * Closes once everything was reported as sent, so that the peer can tell this end from one that
   * cuts something off, where the stream knows the difference.
   */
  default void end() {
    close();
  }

  /** Closes; what was not sent yet is lost. Harmless when closed. */
  void close();

  /** Bytes that the transport has taken so far, those of unfinished writes included. */
  long takenBytes();
}
