package dev.upcall.httpd.answer;

import dev.upcall.FileInfo;
import dev.upcall.httpd.message.ByteRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Several ranges of a file as one body, {@code multipart/byteranges} (RFC 9110, section 14.6): what
 * stands before each part and behind the last one.
 */
final class RangeParts {
  private final List<ByteRange.Part> parts;
  private final List<byte[]> heads;
  private final byte[] end;
  private final String mediaType;
  private final long lengthBytes;

  /**
   * Parts of a version.
   *
   * @param type of each part
   * @param moment when it is answered: together with the version it is a boundary that whoever has
   *     written the content did not know
   */
  RangeParts(FileInfo file, List<ByteRange.Part> parts, String type, long moment) {
    this.parts = parts;
    String boundary =
        String.format(
            Locale.ROOT,
            "upcall-%016x%016x",
            mixed(file.id() * 31 + file.version()),
            mixed(moment + file.id()));
    this.mediaType = "multipart/byteranges; boundary=" + boundary;
    this.heads = new ArrayList<>(parts.size());
    this.end = ascii("\r\n--" + boundary + "--\r\n");
    long length = end.length;
    for (ByteRange.Part part : parts) {
      byte[] head =
          ascii(
              "%s--%s\r\nContent-Type: %s\r\nContent-Range: bytes %d-%d/%d\r\n\r\n"
                  .formatted(
                      heads.isEmpty() ? "" : "\r\n",
                      boundary,
                      type,
                      part.firstByte(),
                      part.firstByte() + part.lengthBytes() - 1,
                      file.sizeBytes()));
      heads.add(head);
      length += head.length + part.lengthBytes();
    }
    this.lengthBytes = length;
  }

  /** The last step of SplitMix64. */
  private static long mixed(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** How many parts. */
  int count() {
    return parts.size();
  }

  /** Which bytes of the file a part has. */
  ByteRange.Part part(int index) {
    return parts.get(index);
  }

  /** The text before its bytes. */
  byte[] head(int index) {
    return heads.get(index);
  }

  /** The text behind the last part. */
  byte[] end() {
    return end;
  }

  /** Of the whole body. */
  String mediaType() {
    return mediaType;
  }

  /** How long it is. */
  long lengthBytes() {
    return lengthBytes;
  }
}
