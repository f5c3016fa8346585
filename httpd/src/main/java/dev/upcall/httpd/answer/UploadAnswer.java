package dev.upcall.httpd.answer;

import dev.upcall.StorePath;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.message.PercentCoding;
import dev.upcall.httpd.message.ResumableAsk;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an answer about a resumable upload, besides the answer to a PUT that it may end
 * with.
 *
 * @param lines header fields, each with a line break in front
 * @param refusal whose sentence is the body, or null
 * @param problem a JSON object that is the body, or empty
 */
public record UploadAnswer(Status status, String lines, @Nullable Refusal refusal, String problem) {
  /** The field of an answer that comes from the path itself: the upload is over. */
  static final String OVER = "\r\nUpload-Complete: ?1";

  private static final String UNFINISHED = "\r\nUpload-Complete: ?0";
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  /** Nothing but a status and fields, of an upload that goes on. */
  private UploadAnswer(Status status, String lines) {
    this(status, lines, null, "");
  }

  /** The place of an upload and its limits: the client can come back (section 4.4.2). */
  public static UploadAnswer begun(StorePath path, String id, String limits) {
    return new UploadAnswer(Status.UPLOAD_RESUMPTION_SUPPORTED, location(path, id) + limits);
  }

  /** So much is there, and more may be on its way (section 5). */
  public static UploadAnswer progress(long offset) {
    return new UploadAnswer(Status.UPLOAD_RESUMPTION_SUPPORTED, offset(offset));
  }

  /** The first part of a file has come (section 4.4.2). */
  public static UploadAnswer created(StorePath path, String id, long offset, String limits) {
    return new UploadAnswer(
        Status.CREATED, location(path, id) + UNFINISHED + offset(offset) + limits);
  }

  /** A part has come that is not the last one (section 4.6.2). */
  public static UploadAnswer appended(long offset, String limits) {
    return new UploadAnswer(Status.NO_CONTENT, UNFINISHED + offset(offset) + limits);
  }

  /** How much is there (section 4.5.2). */
  public static UploadAnswer found(long offset, long length, String limits) {
    String told = length == UploadState.UNKNOWN ? "" : "\r\nUpload-Length: " + length;
    return new UploadAnswer(
        Status.NO_CONTENT,
        UNFINISHED + offset(offset) + told + limits + "\r\nCache-Control: no-store");
  }

  /** An append that does not begin where the upload ends (section 7.1). */
  public static UploadAnswer otherOffset(long expected, long provided) {
    String problem =
        "{\"type\":\"%smismatching-upload-offset\",\"title\":\"the upload has another offset\""
                .formatted(TYPES)
            + ",\"status\":409,\"expected-offset\":%d,\"provided-offset\":%d}\n"
                .formatted(expected, provided);
    return new UploadAnswer(Status.CONFLICT, UNFINISHED + offset(expected), null, problem);
  }

  /** Lengths that are not the same (section 7.2). */
  public static UploadAnswer otherLength() {
    String problem =
        "{\"type\":\"%sinconsistent-upload-length\",\"title\":\"the lengths of the upload differ\""
                .formatted(TYPES)
            + ",\"status\":400}\n";
    return new UploadAnswer(Status.BAD_REQUEST, UNFINISHED, null, problem);
  }

  /** The upload is not done, and may go on as the limits want it (section 4.3). */
  public static UploadAnswer refused(Refusal refusal, String limits) {
    return new UploadAnswer(refusal.status(), UNFINISHED + limits, refusal, "");
  }

  /** All has come, and the path does not take it: nothing is left to resume (section 4.6.2). */
  public static UploadAnswer over(Refusal refusal) {
    return new UploadAnswer(refusal.status(), OVER, refusal, "");
  }

  /**
   * The field of the limits (section 4.3).
   *
   * @param maxBytes of an upload
   * @param ageNanos how long it may still take
   */
  public static String limits(long maxBytes, long ageNanos) {
    return "\r\nUpload-Limit: max-size=%d, max-age=%d"
        .formatted(
            Math.min(maxBytes, 999_999_999_999_999L), Math.max(0, ageNanos / 1_000_000_000L));
  }

  private static String location(StorePath path, String id) {
    return "\r\nLocation: %s?%s=%s"
        .formatted(PercentCoding.encodePath(path.toString()), ResumableAsk.PARAMETER, id);
  }

  private static String offset(long bytes) {
    return "\r\nUpload-Offset: " + bytes;
  }

  /** Whether nothing is left to be resumed. */
  public boolean isOver() {
    return lines.equals(OVER);
  }

  /** The whole of an interim answer. */
  String interim() {
    return "HTTP/1.1 %d %s\r\nUpload-Draft-Interop-Version: %d%s\r\n\r\n"
        .formatted(status.code(), status.reason(), ResumableUploads.INTEROP_VERSION, lines);
  }
}
