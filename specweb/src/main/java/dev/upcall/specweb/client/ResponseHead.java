package dev.upcall.specweb.client;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The head of a response, looked through in place for the little that counts. Used again for each
 * response.
 */
final class ResponseHead {
  /** A longer head is not understood. */
  static final int MAX_BYTES = 16 << 10;

  /** The length is not said. */
  static final long NO_LENGTH = -1;

  private static final int SHORTEST_STATUS_LINE = "HTTP/1.0 200".length();
  private static final byte[] PROTOCOL = ascii("HTTP/1.");
  private static final byte[] CONTENT_LENGTH = ascii("content-length:");
  private static final byte[] CONNECTION = ascii("connection:");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding:");
  private static final byte[] SERVER = ascii("server:");
  private static final int LONGEST_NUMBER = 18;

  private int status;
  private long lengthBytes;
  private boolean keepsAlive;
  private boolean understood;
  private @Nullable String server;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Looks through a head.
   *
   * @return the index behind it, or -1 when its end is not there yet
   */
  int parse(ByteBuf in) {
    int from = in.readerIndex();
    int end = in.writerIndex();
    understood = true;
    lengthBytes = NO_LENGTH;
    for (int start = from; ; ) {
      int feed = in.indexOf(start, end, (byte) '\n');
      if (feed < 0) {
        return -1;
      }
      int stop = feed > start && in.getByte(feed - 1) == '\r' ? feed - 1 : feed;
      if (start == from) {
        statusLine(in, start, stop);
      } else if (stop == start) {
        return feed + 1;
      } else {
        field(in, start, stop);
      }
      start = feed + 1;
    }
  }

  private void statusLine(ByteBuf in, int start, int stop) {
    if (stop - start < SHORTEST_STATUS_LINE || !begins(in, start, stop, PROTOCOL)) {
      understood = false;
      return;
    }
    keepsAlive = in.getByte(start + PROTOCOL.length) == '1';
    status = (int) number(in, start + SHORTEST_STATUS_LINE - 3, start + SHORTEST_STATUS_LINE);
  }

  private void field(ByteBuf in, int start, int stop) {
    switch (in.getByte(start) | 0x20) {
      case 'c' -> {
        if (begins(in, start, stop, CONTENT_LENGTH)) {
          lengthBytes = number(in, start + CONTENT_LENGTH.length, stop);
        } else if (begins(in, start, stop, CONNECTION)) {
          connection(in, start + CONNECTION.length, stop);
        }
      }
      case 't' -> understood &= !begins(in, start, stop, TRANSFER_ENCODING);
      case 's' -> {
        if (server == null && begins(in, start, stop, SERVER)) {
          int from = start + SERVER.length;
          server = in.toString(from, stop - from, StandardCharsets.ISO_8859_1).strip();
        }
      }
      default -> {
        // Says nothing that counts.
      }
    }
  }

  private void connection(ByteBuf in, int from, int stop) {
    String value = in.toString(from, stop - from, StandardCharsets.ISO_8859_1).strip();
    if (value.equalsIgnoreCase("close")) {
      keepsAlive = false;
    } else if (value.equalsIgnoreCase("keep-alive")) {
      keepsAlive = true;
    }
  }

  /** Whether a line begins with a name in lower case, in whatever case it is written. */
  private static boolean begins(ByteBuf in, int start, int stop, byte[] name) {
    if (stop - start < name.length) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      byte wanted = name[i];
      int found = in.getByte(start + i);
      if (found != wanted && (found | 0x20) != wanted) {
        return false;
      }
    }
    return true;
  }

  private long number(ByteBuf in, int from, int stop) {
    long value = 0;
    int digits = 0;
    for (int i = from; i < stop; i++) {
      int c = in.getByte(i);
      if (c >= '0' && c <= '9') {
        value = value * 10 + (c - '0');
        digits++;
      } else if (c != ' ' && c != '\t') {
        digits = 0;
        break;
      }
    }
    if (digits == 0 || digits > LONGEST_NUMBER) {
      understood = false;
      return NO_LENGTH;
    }
    return value;
  }

  /** Whether it was a head that this client understands. */
  boolean isUnderstood() {
    return understood;
  }

  int status() {
    return status;
  }

  /** What {@code Content-Length} said, or {@link #NO_LENGTH}. */
  long lengthBytes() {
    return lengthBytes;
  }

  /** Whether the server means to keep the connection. */
  boolean keepsAlive() {
    return keepsAlive;
  }

  /** The first {@code Server} field that was seen. */
  @Nullable String server() {
    return server;
  }
}
