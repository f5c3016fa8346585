package dev.upcall.httpd.answer;

import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.message.DigestFields;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.WebAsk;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a small file for a client that wants it (RFC 9530), slice by slice before the head
 * of the answer, which names it. One thread at a time.
 */
public final class FileDigest {
  /** Larger files are answered without. */
  static final int MAX_BYTES = 1 << 20;

  private final FileAnswer file;
  private final MessageDigest digest = DigestFields.digest("SHA-256");
  private long offset;

  private FileDigest(FileAnswer file) {
    this.file = file;
  }

  /** The digest to compute before an answer that was decided; null for none. */
  public static @Nullable FileDigest of(FileAnswer file, Request asked) {
    WebAsk web = asked.web();
    boolean wanted =
        web != null
            && web.wantsDigest()
            && (file.status() == Status.OK || file.status() == Status.PARTIAL_CONTENT)
            && file.info().sizeBytes() <= MAX_BYTES;
    return wanted ? new FileDigest(file) : null;
  }

  /** Whether all was counted; the answer knows its digest then. */
  public boolean isDone() {
    if (offset < file.info().sizeBytes()) {
      return false;
    }
    file.digested(digest.digest());
    return true;
  }

  /** Where the next slice begins. */
  public long offset() {
    return offset;
  }

  /** How many bytes it has at most. */
  public int nextBytes() {
    return (int) Math.min(HttpConfig.SLICE_BYTES, file.info().sizeBytes() - offset);
  }

  /** Counts a slice, and gives it back. */
  public void take(ContentSlice slice) {
    offset += slice.sizeBytes();
    for (ByteBuffer buffer : slice.buffers()) {
      digest.update(buffer.duplicate());
    }
    slice.release();
  }
}
