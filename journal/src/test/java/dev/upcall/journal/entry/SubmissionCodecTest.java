package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.StorePath;
import dev.upcall.journal.entry.Decoded.Reason;
import dev.upcall.request.codec.Submission;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Submissions in entries, and bodies that hold none; the bytes themselves: RequestCodecTest. */
class SubmissionCodecTest {
  private static final long LARGE = 3L * Entry.MAX_BODY_BYTES + 1;

  @Test
  void decode_firstEntry_isTheSubmission() {
    Submission append = Samples.append("/log", "text");
    Submission back =
        assertInstanceOf(
            Submission.class,
            assertInstanceOf(Decoded.Value.class, SubmissionCodec.decode(Samples.first(append)))
                .value());
    assertEquals(Samples.bytes(append), Samples.bytes(back));
  }

  @Test
  void decode_largeContent_comesInParts() {
    Submission put = Samples.putOf("/large", LARGE);
    Entry first = Samples.first(put);
    assertEquals(4, first.parts());
    assertEquals(new Decoded.Value<>(put), SubmissionCodec.decode(first));
    assertRefused(
        Reason.LENGTH, new Entry(first.origin(), first.kind(), 1, first.parts(), first.body()));
    assertRefused(Reason.LENGTH, new Entry(first.origin(), first.kind(), 0, 5, first.body()));
    // The same bytes, whether the content follows or is inside.
    byte[] inside = SubmissionCodec.encode(Samples.put("/large", new byte[(int) LARGE]));
    byte[] start = Arrays.copyOf(inside, Entry.MAX_BODY_BYTES);
    assertEquals(first, new Entry(first.origin(), first.kind(), 0, 4, start, 1_700_000_000_123L));
  }

  @Test
  void encode_whatHasNoParts_mustFit() {
    byte[] most = new byte[Entry.MAX_BODY_BYTES];
    StorePath path = StorePath.of("/a");
    assertThrows(
        IllegalArgumentException.class,
        () -> SubmissionCodec.encode(new Submission.Append(path, most)));
    Submission put = Samples.put("/a", most);
    assertEquals(2, Entry.partsOf(SubmissionCodec.encode(put).length));
    Submission.Changes one = (Submission.Changes) put;
    Submission two = Submission.of(one.requests().getFirst(), one.requests().getFirst());
    assertThrows(IllegalArgumentException.class, () -> SubmissionCodec.encode(two));
    Submission tooLarge = Samples.putOf("/a", (long) Entry.MAX_PARTS * Entry.MAX_BODY_BYTES);
    assertThrows(IllegalArgumentException.class, () -> SubmissionCodec.encode(tooLarge));
    String longest = ("/" + "x".repeat(255)).repeat(1000);
    assertEquals(1, Samples.first(Samples.putOf(longest, 0)).parts());
  }

  @Test
  void decode_otherBodies_areRefused() {
    byte[] delete = SubmissionCodec.encode(Samples.delete("/a"));
    assertRefused(Reason.REQUEST, body(new byte[0]));
    assertRefused(Reason.REQUEST, body(Arrays.copyOf(delete, delete.length + 1)));
    Entry empty = Samples.first(Samples.putOf("/a", 10));
    byte[] torn = Arrays.copyOf(empty.body(), empty.body().length - 1);
    assertRefused(Reason.LENGTH, body(torn));
  }

  private static Entry body(byte[] bytes) {
    return new Entry(Samples.ORIGIN, EntryKind.REQUEST, 0, 1, bytes);
  }

  private static void assertRefused(Reason reason, Entry entry) {
    assertEquals(
        reason,
        assertInstanceOf(Decoded.Refused.class, SubmissionCodec.decode(entry)).reason(),
        () -> SubmissionCodec.decode(entry).toString());
  }
}
