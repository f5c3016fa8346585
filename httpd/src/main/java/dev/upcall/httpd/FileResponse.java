package dev.upcall.httpd;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fsm.Clock;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Invariants;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.PinnedContent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file under way to a client: the version that is held, which of its bytes answer the request,
 * and how many of them were leased.
 */
final class FileResponse {
  private final OpenFile file;
  private final PinnedContent content;
  private Status status = Status.OK;
  private long firstByte;
  private long endOffset;
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

  /**
   * Holds the request's conditions and range against the version: decides the status and, for 200
   * and 206, which bytes follow. Once, before anything is read.
   */
  void decide(Request asked, Clock clock) {
    Conditions conditions = asked.conditions();
    Status instead = conditions.insteadOf(info());
    if (instead != null) {
      status = instead;
    } else if (!asked.head()) {
      choose(conditions.rangeOf(info(), clock));
    }
  }

  private void choose(ByteRange range) {
    switch (range) {
      case ByteRange.Whole whole -> {}
      case ByteRange.Unsatisfiable none -> status = Status.RANGE_NOT_SATISFIABLE;
      case ByteRange.Part(long first, long length) -> {
        status = Status.PARTIAL_CONTENT;
        firstByte = first;
        offset = first;
        endOffset = first + length;
      }
    }
  }

  /** What was decided. */
  Status status() {
    return status;
  }

  /** Where the bytes of a 206 begin. */
  long firstByte() {
    return firstByte;
  }

  /** How many bytes the answer to a GET has. */
  long lengthBytes() {
    return endOffset - firstByte;
  }

  /** Whether something was leased, so that the status can no longer change. */
  boolean begun() {
    return offset > firstByte;
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

  /**
   * The size of the next slice, if the store gives all that it is asked for. Behind a start in
   * mid-file the slices fall into step with those of everybody else, so that all share frames.
   */
  int nextBytes() {
    long step = HttpConfig.SLICE_BYTES - offset % HttpConfig.SLICE_BYTES;
    return (int) Math.min(step, endOffset - offset);
  }

  /** Gives the version back; slices may still be on their way. */
  void close() {
    file.close();
  }
}
