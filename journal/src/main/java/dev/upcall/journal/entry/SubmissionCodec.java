package dev.upcall.journal.entry;

import dev.upcall.journal.entry.Decoded.Reason;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.RequestDecoder;
import dev.upcall.request.codec.RequestEncoder;
import dev.upcall.request.codec.Submission;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Submissions as entries: the bytes of {@link RequestEncoder} and the content that follows them,
 * cut into the bodies of entries. Only a put alone may take more than one.
 */
public final class SubmissionCodec {
  private static final long MAX_BYTES = (long) Entry.MAX_PARTS * Entry.MAX_BODY_BYTES;

  private SubmissionCodec() {}

  /**
   * The bytes of a submission, behind which the content comes that follows it. Throws {@link
   * IllegalArgumentException} when no entries hold it.
   */
  public static byte[] encode(Submission submission) {
    byte[] bytes = RequestEncoder.encode(submission);
    boolean mayHaveParts = mayHaveParts(submission);
    long inside = submission.contentBytes() - submission.followingBytes();
    long head = bytes.length - (mayHaveParts ? inside : 0);
    long most = mayHaveParts ? MAX_BYTES - submission.followingBytes() : Entry.MAX_BODY_BYTES;
    if (head > Entry.MAX_BODY_BYTES || bytes.length > most) {
      throw new IllegalArgumentException(
          "%s: %d bytes, %d of content, at most %d fit"
              .formatted(submission.purpose(), bytes.length, inside, most));
    }
    return bytes;
  }

  /** The submission that begins with an entry. */
  public static Decoded<Submission> decode(Entry first) {
    ByteBuffer body = ByteBuffer.wrap(first.body());
    Submission submission;
    try {
      submission = RequestDecoder.decode(body);
    } catch (IllegalArgumentException wrong) {
      return new Decoded.Refused<>(Reason.REQUEST, String.valueOf(wrong.getMessage()));
    }
    String wrong = whatIsWrong(first, submission, body.position());
    return wrong == null
        ? new Decoded.Value<>(submission)
        : new Decoded.Refused<>(Reason.LENGTH, wrong);
  }

  private static boolean mayHaveParts(Submission submission) {
    return submission instanceof Submission.Changes changes
        && changes.requests().size() == 1
        && changes.requests().getFirst() instanceof FileRequest.Put;
  }

  private static @Nullable String whatIsWrong(Entry first, Submission submission, int headBytes) {
    if (first.part() != 0) {
      return "part " + first.part() + " begins no request";
    }
    if (submission.followingBytes() > MAX_BYTES - headBytes) {
      return "a content of " + submission.followingBytes() + " bytes";
    }
    long bytes = headBytes + submission.followingBytes();
    boolean fits =
        first.parts() == Entry.partsOf(bytes)
            && first.body().length == Math.min(bytes, Entry.MAX_BODY_BYTES);
    return fits
        ? null
        : "a request of %d bytes in %d parts, of which the first has %d"
            .formatted(bytes, first.parts(), first.body().length);
  }
}
