package dev.upcall.fileman.reading;

import dev.upcall.FileInfo;
import dev.upcall.OpenFile;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * A file opened for reading through the facade. Dispatcher's thread, but for {@link #info} and
 * {@link #copy}.
 */
public final class ReadSide {
  /** What is copied at once: so much is copied in vain where it is not all in memory. */
  private static final int PIECE_BYTES = 64 << 10;

  private final Dispatcher dispatcher;
  private final FileInfo info;
  private final PinnedContent content;
  private final Set<Runnable> open;
  private final Runnable closer = this::close;
  private boolean closed;

  /**
   * Takes over an open file.
   *
   * @param open what the facade must close when it is closed itself
   */
  public ReadSide(Dispatcher dispatcher, OpenFile file, PinnedContent content, Set<Runnable> open) {
    this.dispatcher = dispatcher;
    this.info = file.info();
    this.content = content;
    this.open = open;
    open.add(closer);
  }

  /** Metadata of the version. Any thread. */
  public FileInfo info() {
    return info;
  }

  /**
   * Copies from an offset on what is in memory, as far as it fits. Any thread.
   *
   * @return how many bytes; 0 where the dispatcher must be asked, -1 at or behind the end
   */
  public int copy(long offset, ByteBuffer into) {
    long size = content.inode().size();
    if (offset < 0 || !into.hasRemaining()) {
      return 0;
    }
    if (offset >= size) {
      return -1;
    }
    int copied = 0;
    while (into.hasRemaining() && offset + copied < size) {
      int left = (int) Math.min(into.remaining(), size - offset - copied);
      int bytes = Math.min(left, PIECE_BYTES);
      if (!content.copy(offset + copied, into.slice(into.position(), bytes))) {
        break;
      }
      into.position(into.position() + bytes);
      copied += bytes;
    }
    return copied;
  }

  /** Reads as {@link PinnedContent#read}; {@code Closed} when it is. */
  public void read(long offset, int maxBytes, CompletionPort<ContentSlice> port) {
    if (closed) {
      refuse(new Failure.Closed(info.name()), port);
    } else {
      content.read(offset, maxBytes, IoClass.FOREGROUND_READ, port);
    }
  }

  /** Fails what cannot be read, when reads complete. */
  <T> void refuse(Failure failure, CompletionPort<T> port) {
    dispatcher.complete(port, Completion.failed(failure));
  }

  /** Closes it, and says so. */
  public void close(CompletionPort<Unit> port) {
    close();
    dispatcher.complete(port, Completion.done());
  }

  /** Gives the version back; harmless when done before. */
  public void close() {
    if (!closed) {
      closed = true;
      open.remove(closer);
      content.close();
    }
  }
}
