package dev.upcall.nio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Transfers between a file and another channel, piece by piece. One that fails when some bytes are
 * carried over returns how many: the next call fails the same way.
 */
public final class Transfers {
  private static final int PIECE_BYTES = 256 << 10;

  private Transfers() {}

  /** See {@link java.nio.channels.FileChannel#transferTo}; the arguments are checked. */
  static long to(UpcallFileChannel file, long offset, long count, WritableByteChannel target)
      throws IOException {
    long done = 0;
    try {
      // A target in the same file makes that longer meanwhile: what was there is all that goes.
      long most = Math.min(count, file.size() - offset);
      ByteBuffer piece = piece(most);
      boolean more = true;
      while (more && done < most) {
        piece.clear().limit((int) Math.min(most - done, piece.capacity()));
        more = file.read(piece, offset + done) > 0;
        if (more) {
          done += target.write(piece.flip());
          more = !piece.hasRemaining();
        }
      }
    } catch (IOException failed) {
      if (done == 0) {
        throw told(failed, file, target);
      }
    }
    return done;
  }

  /** See {@link java.nio.channels.FileChannel#transferFrom}; the arguments are checked. */
  static long from(UpcallFileChannel file, long offset, long count, ReadableByteChannel source)
      throws IOException {
    long done = 0;
    try {
      long most =
          source instanceof UpcallFileChannel other
              ? Math.min(count, other.size() - other.position())
              : count;
      ByteBuffer piece = piece(most);
      boolean more = true;
      while (more && done < most) {
        piece.clear().limit((int) Math.min(most - done, piece.capacity()));
        more = source.read(piece) > 0;
        if (more) {
          done += file.write(piece.flip(), offset + done);
        }
      }
    } catch (IOException failed) {
      if (done == 0) {
        throw told(failed, file, source);
      }
    }
    return done;
  }

  private static ByteBuffer piece(long most) {
    return ByteBuffer.allocate(Math.clamp(most, 0, PIECE_BYTES));
  }

  /** An interrupt closes both channels, whichever of them noticed it. */
  private static IOException told(IOException failed, UpcallFileChannel file, Channel other) {
    if (failed instanceof ClosedChannelException && Thread.currentThread().isInterrupted()) {
      ClosedByInterruptException interrupted = new ClosedByInterruptException();
      interrupted.initCause(failed);
      close(file, interrupted);
      close(other, interrupted);
      return interrupted;
    }
    return failed;
  }

  private static void close(Channel channel, IOException because) {
    try {
      channel.close();
    } catch (IOException failed) {
      because.addSuppressed(failed);
    }
  }
}
