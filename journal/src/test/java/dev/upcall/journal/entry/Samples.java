package dev.upcall.journal.entry;

import dev.upcall.FileContent;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Submissions and entries for tests. */
public final class Samples {
  public static final Origin ORIGIN =
      new Origin(new UUID(0x1112131415161718L, 0x191a1b1c1d1e1f20L), 3, new UUID(7, 8), 9, 10);

  private Samples() {}

  /** Makes or replaces a file. */
  public static Submission put(String path, byte[] content) {
    return put(path, content, PutOptions.DEFAULT);
  }

  /** The same with options. */
  public static Submission put(String path, byte[] content, PutOptions options) {
    return Submission.of(new FileRequest.Put(path, new FileContent.Bytes(content), options));
  }

  /** The same with a text. */
  public static Submission put(String path, String content) {
    return put(path, content.getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes or replaces a file of so many bytes, which follow. */
  public static Submission putOf(String path, long bytes) {
    return Submission.of(new FileRequest.Put(path, new FileContent.Following(bytes)));
  }

  /** Writes at the end of a file. */
  public static Submission append(String path, String text) {
    return new Submission.Append(StorePath.of(path), text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Deletes a file. */
  public static Submission delete(String path) {
    return Submission.of(new FileRequest.Delete(path));
  }

  /** Makes a directory. */
  public static Submission directory(String path) {
    return Submission.of(new FileRequest.CreateDirectory(path));
  }

  /** The bytes of submissions, for which being equal is another matter. */
  public static List<Byte> bytes(Submission submission) {
    List<Byte> bytes = new ArrayList<>();
    for (byte each : SubmissionCodec.encode(submission)) {
      bytes.add(each);
    }
    return bytes;
  }

  /** The entries of a submission that has all its content. */
  public static List<Entry> entries(Submission submission, Origin origin, long appendedMillis) {
    byte[] all = SubmissionCodec.encode(submission);
    int parts = Entry.partsOf(all.length);
    List<Entry> entries = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int at = part * Entry.MAX_BODY_BYTES;
      byte[] body = Arrays.copyOfRange(all, at, Math.min(all.length, at + Entry.MAX_BODY_BYTES));
      entries.add(new Entry(origin, EntryKind.REQUEST, part, parts, body, appendedMillis));
    }
    return entries;
  }

  /** The first of them, whatever follows. */
  public static Entry first(Submission submission) {
    byte[] head = SubmissionCodec.encode(submission);
    long bytes = head.length + submission.followingBytes();
    byte[] body = Arrays.copyOf(head, (int) Math.min(bytes, Entry.MAX_BODY_BYTES));
    return new Entry(ORIGIN, EntryKind.REQUEST, 0, Entry.partsOf(bytes), body, 1_700_000_000_123L);
  }
}
