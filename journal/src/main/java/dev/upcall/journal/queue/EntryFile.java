package dev.upcall.journal.queue;

import dev.upcall.journal.entry.EntryCodec;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One file of a queue as the library writes it: documents one behind the other, each with a header
 * of four bytes, its own and those with entries. It is read and never mapped: whatever its bytes
 * are, and however short it has become, nothing but other documents comes of it. One thread at a
 * time.
 */
final class EntryFile implements AutoCloseable {
  /** Several of the largest entries. */
  private static final int WINDOW_BYTES = 1 << 20;

  /** What is read at once where little may be there. */
  private static final int LITTLE_BYTES = 8 << 10;

  /** What {@link #find} has not found. */
  static final long NOWHERE = -1;

  private static final int HEADER_BYTES = Integer.BYTES;

  /** Not yet written to its end; together with {@link #OF_THE_LIBRARY} the end of the file. */
  private static final int UNFINISHED = 1 << 31;

  private static final int OF_THE_LIBRARY = 1 << 30;
  private static final int LENGTH = OF_THE_LIBRARY - 1;

  private final Path path;
  private final int cycle;
  private final FileChannel channel;

  /** Of the file that is open, or of one that had its name before it. */
  private final @Nullable Object key;

  /** What was read last, as far as documents in it are finished; shared by files in turn. */
  private final ByteBuffer window;

  /** Where the window's bytes are in the file. */
  private long windowAt;

  /** What is read next time; it grows as long as all of it is finished. */
  private int reach = LITTLE_BYTES;

  /** As long as the file was when that was asked last. */
  private long size;

  /** What begins somewhere. */
  enum Kind {
    /** An entry, or what is taken for one. */
    ENTRY,
    /** What the library writes for itself. */
    LIBRARY,
    /** Nothing yet, something unfinished, or the end. */
    END,
    /** A header that no document of this file can have. */
    BROKEN
  }

  /**
   * A document as its header says.
   *
   * @param at where the header is
   * @param length of what is behind it
   */
  record Document(Kind kind, long at, int length) {
    /** Where the next one begins: at a multiple of four bytes, also where bytes are missing. */
    long end() {
      long bytes = (long) HEADER_BYTES + length;
      return at + bytes + (-bytes & (HEADER_BYTES - 1));
    }
  }

  private EntryFile(
      Path path, int cycle, FileChannel channel, @Nullable Object key, ByteBuffer window) {
    this.path = path;
    this.cycle = cycle;
    this.channel = channel;
    this.key = key;
    this.window = window;
  }

  /**
   * Opens one.
   *
   * @param cycle the period for which it is
   * @param window nobody else's as long as this is open
   */
  static EntryFile open(Path path, int cycle, ByteBuffer window) throws IOException {
    Object key = Folders.key(path);
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    window.clear().limit(0);
    return new EntryFile(path, cycle, channel, key, window);
  }

  /** Room to read files in from one end to the other, one after the other. */
  static ByteBuffer window() {
    return ByteBuffer.allocateDirect(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The same for single entries here and there. */
  static ByteBuffer littleWindow() {
    return ByteBuffer.allocateDirect(LITTLE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  }

  int cycle() {
    return cycle;
  }

  /** Its name in its directory. */
  String name() {
    return String.valueOf(path.getFileName());
  }

  /**
   * Whether it has no longer its name, or may never have had it. Where who makes a file dies before
   * its first header, the library puts another one in its place.
   */
  boolean isReplaced() throws IOException {
    return !Objects.equals(key, Folders.key(path));
  }

  /** How long it is now. */
  long size() throws IOException {
    size = channel.size();
    return size;
  }

  /** What begins somewhere. */
  Document document(long at) throws IOException {
    if (at < windowAt || at + HEADER_BYTES > windowAt + window.limit()) {
      fill(at);
    }
    int header = window.limit() < HEADER_BYTES ? 0 : window.getInt((int) (at - windowAt));
    int length = header & LENGTH;
    if (header == 0 || (header & UNFINISHED) != 0) {
      return new Document(Kind.END, at, 0);
    }
    Document found =
        new Document((header & OF_THE_LIBRARY) != 0 ? Kind.LIBRARY : Kind.ENTRY, at, length);
    long end = at + HEADER_BYTES + length;
    return end <= size || end <= size() ? found : new Document(Kind.BROKEN, at, 0);
  }

  /** What an entry has, as much as is needed to see that it is too large; less if it was cut. */
  byte[] bytes(Document entry) throws IOException {
    byte[] bytes = new byte[Math.min(entry.length(), EntryCodec.MAX_ENTRY_BYTES + 1)];
    long from = entry.at() + HEADER_BYTES;
    if (from >= windowAt && from + bytes.length <= windowAt + window.limit()) {
      window.get((int) (from - windowAt), bytes);
      return bytes;
    }
    int read = read(ByteBuffer.wrap(bytes), from);
    return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
  }

  /** Whether the bytes of an entry are there and are one, by its own checksum. */
  boolean isWhole(Document found) throws IOException {
    return found.kind() == Kind.ENTRY && EntryCodec.isWhole(bytes(found));
  }

  /**
   * The first place in between where a whole entry begins, with its header; or {@link #NOWHERE}.
   */
  long find(long from, long to) throws IOException {
    long at = from;
    long found = NOWHERE;
    while (at < to && found == NOWHERE) {
      windowAt = at;
      int last = read(window.clear(), at) - EntryCodec.HEAD_BYTES - HEADER_BYTES;
      for (int i = 0; i <= last && at + i < to && found == NOWHERE; i++) {
        if (EntryCodec.isMark(window.getInt(i + HEADER_BYTES)) && isWhole(at + i)) {
          found = at + i;
        }
      }
      at = last < 0 ? to : at + last + 1;
    }
    window.limit(0);
    return found;
  }

  private boolean isWhole(long at) throws IOException {
    int header = window.getInt((int) (at - windowAt));
    return header > 0
        && (header & OF_THE_LIBRARY) == 0
        && header <= EntryCodec.MAX_ENTRY_BYTES
        && EntryCodec.isWhole(bytes(new Document(Kind.ENTRY, at, header)));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Reads from somewhere on. Headers say which documents are finished, so what they were said of is
   * read once more behind them.
   */
  private void fill(long from) throws IOException {
    windowAt = from;
    int read = read(window.clear().limit(HEADER_BYTES), from);
    if (finished(read) > 0) {
      read = read(window.clear().limit(reach), from);
    }
    int finished = finished(read);
    VarHandle.acquireFence();
    read(window.clear().limit(finished), from);
    reach = finished < reach ? LITTLE_BYTES : Math.min(2 * reach, window.capacity());
  }

  /** How far the documents in the window are. */
  private int finished(int read) {
    int finished = 0;
    while (finished + HEADER_BYTES <= read) {
      int header = window.getInt(finished);
      if (header == 0 || (header & UNFINISHED) != 0) {
        break;
      }
      finished = (int) Math.min(new Document(Kind.ENTRY, finished, header & LENGTH).end(), read);
    }
    return finished;
  }

  /** As much as there is; the buffer then ends there. */
  private int read(ByteBuffer to, long from) throws IOException {
    int begin = to.position();
    while (to.hasRemaining()) {
      if (channel.read(to, from + to.position() - begin) < 0) {
        break;
      }
    }
    int read = to.position() - begin;
    to.flip();
    return read;
  }
}
