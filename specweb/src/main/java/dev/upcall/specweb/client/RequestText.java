package dev.upcall.specweb.client;

import dev.upcall.specweb.FileSet;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Requests for the files of a set: a template into which digits are written. */
final class RequestText {
  private static final FileSet.Entry TEMPLATE = new FileSet.Entry(0, 0, 0);
  private static final int DIRECTORY_DIGITS = 5;

  private final byte[] once;
  private final byte[] kept;
  private final byte[] last;
  private final int directoryAt;
  private final int classAt;
  private final int fileAt;

  RequestText(Target target) {
    String path = target.base() + "/" + TEMPLATE.path();
    once = text(path, "1.0", target, "");
    kept = text(path, "1.1", target, "");
    last = text(path, "1.1", target, "Connection: close\r\n");
    int end = "GET ".length() + path.length();
    fileAt = end - 1;
    classAt = end - "0_0".length();
    directoryAt = end - "00000/class0_0".length();
  }

  private static byte[] text(String path, String version, Target target, String more) {
    return "GET %s HTTP/%s\r\nHost: %s\r\nUser-Agent: upcall-specweb\r\n%s\r\n"
        .formatted(path, version, target.authority(), more)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What a connection means for its requests. */
  enum Kind {
    /** HTTP/1.0: the only one. */
    ONCE,

    /** HTTP/1.1, more may follow. */
    KEPT,

    /** HTTP/1.1, the last one. */
    LAST
  }

  /** Upper bound of {@link #write}. */
  int maxBytes() {
    return last.length;
  }

  /** Appends a request. */
  void write(FileSet.Entry entry, Kind kind, ByteBuf out) {
    int start = out.writerIndex();
    out.writeBytes(
        switch (kind) {
          case ONCE -> once;
          case KEPT -> kept;
          case LAST -> last;
        });
    int rest = entry.directory();
    for (int i = DIRECTORY_DIGITS - 1; i >= 0; i--) {
      out.setByte(start + directoryAt + i, '0' + rest % 10);
      rest /= 10;
    }
    out.setByte(start + classAt, '0' + entry.sizeClass());
    out.setByte(start + fileAt, '0' + entry.file());
  }
}
