package dev.upcall.specweb.client;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.load.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one response after the other from a connection, and compares each with its file. */
final class ResponseReader {
  /** What is known of the current response. */
  enum Progress {
    /** Bytes are missing. */
    MORE,

    /** All of it was read, and it is right. */
    COMPLETE,

    /** It is wrong: {@link #fault} and {@link #detail} say how. */
    WRONG
  }

  private static final int OK = 200;
  private static final int HEAD_GUESS_BYTES = 512;

  private final ResponseHead head = new ResponseHead();
  private @Nullable ByteBuf partialHead;
  private FileSet.@Nullable Entry entry;
  private boolean checksContent;
  private boolean inBody;
  private int received;
  private Fault fault = Fault.HEAD;
  private String detail = "";

  /** A response to a request for this file comes next. */
  void expect(FileSet.Entry wanted, boolean checkContent) {
    entry = wanted;
    checksContent = checkContent;
    inBody = false;
    received = 0;
    partialHead = null;
  }

  /** Takes all bytes of a buffer; the caller keeps the buffer. */
  Progress read(ByteBuf in) {
    if (entry == null) {
      return wrong(Fault.LENGTH, in.readableBytes() + " bytes that nobody asked for");
    }
    if (!inBody) {
      Progress progress = readHead(in);
      if (!inBody) {
        return progress;
      }
    }
    return readBody(in, entry);
  }

  private Progress readHead(ByteBuf in) {
    int start = in.readerIndex();
    if (partialHead == null) {
      int end = head.parse(in);
      if (end >= 0) {
        in.readerIndex(end);
        return understand();
      }
      partialHead = Unpooled.buffer(in.readableBytes());
    }
    int before = partialHead.readableBytes();
    int taken = Math.min(in.readableBytes(), ResponseHead.MAX_BYTES - before);
    partialHead.writeBytes(in, start, taken);
    int end = head.parse(partialHead);
    if (end < 0) {
      return before + taken < ResponseHead.MAX_BYTES
          ? Progress.MORE
          : wrong(Fault.HEAD, "a head of more than " + ResponseHead.MAX_BYTES + " bytes");
    }
    in.readerIndex(start + end - before);
    return understand();
  }

  private Progress understand() {
    FileSet.Entry wanted = Objects.requireNonNull(entry);
    partialHead = null;
    if (!head.isUnderstood()) {
      return wrong(Fault.HEAD, "not the head of a plain HTTP/1 response with a length");
    }
    if (head.status() != OK) {
      return wrong(Fault.STATUS, "status " + head.status());
    }
    if (head.lengthBytes() != wanted.sizeBytes()) {
      return wrong(
          Fault.LENGTH,
          head.lengthBytes() == ResponseHead.NO_LENGTH
              ? "no Content-Length"
              : "Content-Length %d instead of %d"
                  .formatted(head.lengthBytes(), wanted.sizeBytes()));
    }
    inBody = true;
    return Progress.MORE;
  }

  private Progress readBody(ByteBuf in, FileSet.Entry wanted) {
    int length = in.readableBytes();
    if (received + length > wanted.sizeBytes()) {
      return wrong(Fault.LENGTH, "more bytes than Content-Length said");
    }
    if (checksContent && length > 0) {
      int difference = BodyPattern.firstDifference(wanted, received, in, in.readerIndex(), length);
      if (difference >= 0) {
        return wrong(Fault.CONTENT, "byte " + difference + " is wrong");
      }
    }
    received += length;
    in.skipBytes(length);
    if (received < wanted.sizeBytes()) {
      return Progress.MORE;
    }
    entry = null;
    return Progress.COMPLETE;
  }

  private Progress wrong(Fault what, String how) {
    fault = what;
    detail = how;
    return Progress.WRONG;
  }

  /** How many bytes may come next, at most; a guess that is right when the head is short. */
  int expectedBytes() {
    int guessedHead = inBody ? 0 : HEAD_GUESS_BYTES;
    return entry == null ? HEAD_GUESS_BYTES : entry.sizeBytes() - received + guessedHead;
  }

  /** Whether the server means to keep the connection after this response. */
  boolean keepsAlive() {
    return head.keepsAlive();
  }

  /** What the connection's end now would be called. */
  String missing() {
    return inBody && entry != null
        ? "closed after %d of %d bytes".formatted(received, entry.sizeBytes())
        : "closed before the head of a response";
  }

  Fault fault() {
    return fault;
  }

  String detail() {
    return detail;
  }

  /** What the server calls itself, as far as it was seen. */
  @Nullable String server() {
    return head.server();
  }
}
