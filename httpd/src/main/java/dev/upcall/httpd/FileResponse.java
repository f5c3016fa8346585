package dev.upcall.httpd;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Invariants;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.PinnedContent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file under way to a client: the version that is held, and how much of it was leased. */
final class FileResponse {
  private final OpenFile file;
  private final PinnedContent content;
  private final long endOffset;
  private long offset;

  /** A response of all bytes of an open file, which passes to it. */
  FileResponse(OpenFile file) {
    this.file = file;
    this.content = Objects.requireNonNull(file.content(), "a directory has no content");
    this.endOffset = file.info().sizeBytes();
  }

  FileInfo info() {
    return file.info();
  }

  /** Whether something was leased, so that the status can no longer change. */
  boolean begun() {
    return offset > 0;
  }

  /** Whether everything was leased. */
  boolean ended() {
    return offset == endOffset;
  }

  /** The next slice if it is in memory, else null. */
  @Nullable ContentSlice tryNext() {
    return content.tryRead(offset, nextBytes());
  }

  /** Asks the store for the next slice. */
  void readNext(CompletionPort<ContentSlice> port) {
    content.read(offset, nextBytes(), IoClass.FOREGROUND_READ, port);
  }

  /** Counts a slice that has come. */
  void leased(ContentSlice slice) {
    int bytes = slice.sizeBytes();
    Invariants.check(bytes > 0 && bytes <= endOffset - offset, "slice of a wrong size", bytes);
    offset += bytes;
  }

  /** The size of the next slice, if the store gives all that it is asked for. */
  int nextBytes() {
    return (int) Math.min(HttpConfig.SLICE_BYTES, endOffset - offset);
  }

  /** Gives the version back; slices may still be on their way. */
  void close() {
    file.close();
  }
}
