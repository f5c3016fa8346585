package dev.upcall.journal.recording;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * Finds the entries of one file by their marks and checksums, whatever lies around them: so without
 * the library that wrote the file, and whatever of it is damaged. Reads only. One thread at a time.
 */
final class EntryScan {
  private final Path file;

  /** Shared with the scans of other files. */
  private final ByteBuffer window;

  private boolean isRead;

  /** Behind the last whole entry. */
  private long passed;

  private long damaged;

  /** What begins like an entry behind the last whole one. */
  private long torn;

  EntryScan(Path file, ByteBuffer window) {
    this.file = file;
    this.window = window;
  }

  /** What begins like an entry and is none, the last one that a killed process began, too. */
  long damaged() {
    return damaged + torn;
  }

  /** Whether it was read to its end. */
  boolean isRead() {
    return isRead;
  }

  /** Room for what several scans read, one after the other: several of the largest entries. */
  static ByteBuffer window() {
    return ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Passes on the entries behind those of the last call. */
  void read(Consumer<RecordingEntry> to) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long broken = 0;
      long at = passed;
      while (fill(channel, at)) {
        int here = 0;
        while (window.limit() - here >= RecordingCodec.HEAD_BYTES && hasWhole(here, at, channel)) {
          RecordingEntry entry = RecordingCodec.decode(window, here);
          if (entry != null) {
            here += RecordingCodec.length(window, here);
            passed = at + here;
            damaged += broken;
            broken = 0;
            to.accept(entry);
          } else {
            broken += window.getInt(here) == RecordingCodec.MARK ? 1 : 0;
            here++;
          }
        }
        at += here;
      }
      torn = broken;
    }
    isRead = true;
  }

  /** Whether what begins here is in the window, as far as the file has it. */
  private boolean hasWhole(int here, long at, FileChannel channel) throws IOException {
    return here + RecordingCodec.length(window, here) <= window.limit()
        || at + window.limit() >= channel.size();
  }

  /** Reads from a position on; false when less than a head is left. */
  private boolean fill(FileChannel channel, long at) throws IOException {
    window.clear();
    while (window.hasRemaining()) {
      if (channel.read(window, at + window.position()) < 0) {
        break;
      }
    }
    window.flip();
    return window.limit() >= RecordingCodec.HEAD_BYTES;
  }
}
