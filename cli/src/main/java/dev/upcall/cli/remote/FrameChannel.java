package dev.upcall.cli.remote;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Frames over a socket, whole ones. Any thread sends, and waits while the other side does not read;
 * one receives; closing wakes them all with an {@link IOException}.
 */
final class FrameChannel implements Closeable {
  private final SocketChannel channel;
  private final ReentrantLock sending = new ReentrantLock();

  FrameChannel(SocketChannel channel) {
    this.channel = channel;
  }

  /** Sends one. */
  void send(Frame frame) throws IOException {
    send(frame.kind(), frame.bytes(), 0, frame.bytes().length);
  }

  /** Sends one with these bytes. */
  void send(Frame.Kind kind, byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Frame.HEAD_BYTES).put(kind.code()).putInt(length).flip();
    ByteBuffer[] all = {head, ByteBuffer.wrap(bytes, offset, length)};
    sending.lock();
    try {
      while (all[0].hasRemaining() || all[1].hasRemaining()) {
        channel.write(all);
      }
    } finally {
      sending.unlock();
    }
  }

  /** The next one, or null when the other side has closed. */
  @Nullable Frame receive() throws IOException {
    ByteBuffer head = ByteBuffer.allocate(Frame.HEAD_BYTES);
    if (channel.read(head) < 0) {
      return null;
    }
    fill(head);
    Frame.Kind kind = Frame.Kind.of(head.get());
    int length = head.getInt();
    if (length < 0 || length > kind.maxBytes()) {
      throw new ProtocolException("%s of %d bytes".formatted(kind, length));
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    fill(bytes);
    return new Frame(kind, bytes.array());
  }

  private void fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException("half a frame");
      }
    }
    buffer.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
