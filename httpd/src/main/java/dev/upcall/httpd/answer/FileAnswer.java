package dev.upcall.httpd.answer;

import dev.upcall.FileInfo;
import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.message.ByteRange;
import dev.upcall.httpd.message.Conditions;
import dev.upcall.httpd.message.ContentCoding;
import dev.upcall.httpd.message.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one version of a file answers to a request: the status, which of its bytes follow, and how
 * many of them were leased. Whoever reads and sends them uses it on one thread at a time.
 */
public class FileAnswer {
  /** How much of an answer there is. */
  public enum Shape {
    /** A head and bytes. */
    CONTENT,
    /** A head, and no bytes or none that the client wants. */
    HEAD,
    /** The file has none of the bytes that are wanted. */
    RANGE_REFUSED,
    /** A status and no more. */
    REFUSED
  }

  private final FileInfo info;
  private final @Nullable ContentCoding coding;
  private Status status = Status.OK;
  private long firstByte;
  private long endOffset;
  private long offset;
  private @Nullable RangeParts parts;
  private int part;
  private byte @Nullable [] digest;
  private @Nullable Shape shape;

  /** An answer of all bytes of a version. */
  public FileAnswer(FileInfo info) {
    this(info, null);
  }

  /**
   * The same of a version that stands for another file.
   *
   * @param coding in which its bytes are; null for none
   */
  public FileAnswer(FileInfo info, @Nullable ContentCoding coding) {
    this.info = info;
    this.coding = coding;
    this.endOffset = info.sizeBytes();
  }

  /** The version. */
  public final FileInfo info() {
    return info;
  }

  /**
   * Holds the request's conditions and range against the version: decides the status and, for 200
   * and 206, which bytes follow. Once, before anything is read.
   */
  public final Shape decide(Request asked, Clock clock) {
    Conditions conditions = asked.conditions();
    Status instead = conditions.insteadOf(info);
    if (instead != null) {
      status = instead;
    } else if (!asked.head()) {
      choose(conditions.rangeOf(info, clock), asked, clock);
    }
    Shape decided =
        switch (status) {
          case OK, PARTIAL_CONTENT -> asked.head() || ended() ? Shape.HEAD : Shape.CONTENT;
          case NOT_MODIFIED -> Shape.HEAD;
          case RANGE_NOT_SATISFIABLE -> Shape.RANGE_REFUSED;
          default -> Shape.REFUSED;
        };
    shape = decided;
    return decided;
  }

  /** Whether it was decided that bytes follow the head: none do behind a 304 or for a HEAD. */
  public final boolean hasContent() {
    return shape == Shape.CONTENT;
  }

  private void choose(ByteRange range, Request asked, Clock clock) {
    switch (range) {
      case ByteRange.Whole whole -> {}
      case ByteRange.Unsatisfiable none -> status = Status.RANGE_NOT_SATISFIABLE;
      case ByteRange.Part next -> goTo(next);
      case ByteRange.Parts(List<ByteRange.Part> several) -> {
        String type = ResponseEncoder.mediaType(info, asked);
        parts = new RangeParts(info, several, type, clock.epochNanos());
        goTo(several.getFirst());
      }
    }
  }

  private void goTo(ByteRange.Part next) {
    status = Status.PARTIAL_CONTENT;
    firstByte = next.firstByte();
    offset = firstByte;
    endOffset = firstByte + next.lengthBytes();
  }

  /** The SHA-256 of all bytes is known. */
  final void digested(byte[] sha256) {
    digest = sha256;
  }

  /** The SHA-256 of all bytes; null where nobody wants it. */
  final byte @Nullable [] digest() {
    return digest;
  }

  /** The frames of the several ranges of a 206; null where there is one, or the whole. */
  final @Nullable RangeParts parts() {
    return parts;
  }

  /** The text before the next slice, if it begins another range; else null. */
  final byte @Nullable [] partHead() {
    return parts == null || offset > firstByte || part == 0 ? null : parts.head(part);
  }

  /** The text behind the last slice, if several ranges were sent whole; else null. */
  final byte @Nullable [] partsEnd() {
    return parts == null || !ended() ? null : parts.end();
  }

  /** The coding of its bytes; null for none. */
  final @Nullable ContentCoding coding() {
    return coding;
  }

  /** What was decided. */
  public final Status status() {
    return status;
  }

  /** Where the bytes of a 206 begin. */
  final long firstByte() {
    return firstByte;
  }

  /** How many bytes the answer to a GET has. */
  final long lengthBytes() {
    return parts == null ? endOffset - firstByte : parts.lengthBytes();
  }

  /** Whether something was leased, so that the status can no longer change. */
  public final boolean begun() {
    return offset > firstByte || part > 0;
  }

  /** Whether everything was leased. */
  public final boolean ended() {
    return offset == endOffset;
  }

  /** Where the next slice begins. */
  public final long offset() {
    return offset;
  }

  /** Counts a slice that has come. */
  public final void leased(ContentSlice slice) {
    int bytes = slice.sizeBytes();
    Invariants.check(bytes > 0 && bytes <= endOffset - offset, "slice of a wrong size", bytes);
    offset += bytes;
    RangeParts several = parts;
    if (several != null && offset == endOffset && part < several.count() - 1) {
      part++;
      goTo(several.part(part));
    }
  }

  /**
   * The size of the next slice, if the store gives all that it is asked for. Behind a start in
   * mid-file the slices fall into step with those of everybody else, so that all share frames.
   */
  public final int nextBytes() {
    return nextBytes(HttpConfig.SLICE_BYTES);
  }

  /**
   * The same where there is room for several slices, which are asked for as one.
   *
   * @param roomBytes one slice is asked for even where there is less
   */
  public final int nextBytes(int roomBytes) {
    int most = Math.max(roomBytes, HttpConfig.SLICE_BYTES);
    long behind = offset + most;
    long step = behind - behind % HttpConfig.SLICE_BYTES - offset;
    return (int) Math.min(step, endOffset - offset);
  }
}
