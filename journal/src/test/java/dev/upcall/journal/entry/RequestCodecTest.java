package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.journal.entry.Decoded.Reason;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests in entries, and bodies that are none. */
class RequestCodecTest {
  private static final long LARGE = 3L * Entry.MAX_BODY_BYTES + 1;

  @Test
  void theFormIsFixed() {
    Golden.check("request", RequestCodec.encode(Samples.requests().getLast()));
  }

  @Test
  void eachKindComesBack() {
    for (Request request : Samples.requests()) {
      assertEquals(
          new Decoded.Value<>(new Submission(request, RequestCodec.encode(request).length)),
          RequestCodec.decode(Samples.first(request)));
    }
  }

  @Test
  void aLargeContentComesInParts() {
    Entry first = Samples.first(new Request.Put("/large", Condition.NONE, false, LARGE));
    assertEquals(4, first.parts());
    assertInstanceOf(Decoded.Value.class, RequestCodec.decode(first));
    Entry second = new Entry(first.origin(), first.kind(), 1, first.parts(), first.body());
    assertRefused(Reason.LENGTH, second);
    assertRefused(Reason.LENGTH, new Entry(first.origin(), first.kind(), 0, 5, first.body()));
  }

  @Test
  void whatHasNoPartsMustFit() {
    long most = Entry.MAX_BODY_BYTES;
    assertThrows(
        IllegalArgumentException.class, () -> RequestCodec.encode(new Request.Append("/a", most)));
    assertThrows(IllegalArgumentException.class, () -> new Request.Append("/a", most + 1));
    Request put = new Request.Put("/a", Condition.NONE, false, most / 2 + 1);
    assertThrows(IllegalArgumentException.class, () -> new Request.Batch(List.of(put, put)));
  }

  @Test
  void requestsThatNoStoreCouldDo() {
    for (String path : List.of("", "a", "/a\0b", "/\ud800", "/" + "x".repeat(0xffff))) {
      assertThrows(
          IllegalArgumentException.class, () -> new Request.Delete(path, Condition.NONE), path);
    }
    assertThrows(IllegalArgumentException.class, () -> new Request.Batch(List.of()));
    Request append = new Request.Append("/a", 1);
    assertThrows(IllegalArgumentException.class, () -> new Request.Batch(List.of(append)));
    Request delete = new Request.Delete("/a", Condition.NONE);
    assertThrows(
        IllegalArgumentException.class, () -> new Request.Batch(Collections.nCopies(4097, delete)));
    assertThrows(IllegalArgumentException.class, () -> new Request.Write("/a", Long.MAX_VALUE, 1));
  }

  @Test
  void bodiesThatAreNoRequest() {
    Entry delete = Samples.first(new Request.Delete("/a", Condition.NONE));
    assertRefused(Reason.REQUEST, body(new byte[0]));
    assertRefused(Reason.REQUEST, body(new byte[] {99}));
    assertRefused(Reason.REQUEST, body(Arrays.copyOf(delete.body(), 5)));
    assertRefused(Reason.LENGTH, body(Arrays.copyOf(delete.body(), delete.body().length + 1)));
    assertRefused(Reason.REQUEST, body(with(delete, 5, 3)));
    assertRefused(Reason.REQUEST, body(with(delete, 6, 2)));
    assertRefused(Reason.PATH, body(with(delete, 3, 'b')));
    assertRefused(Reason.PATH, body(with(delete, 4, 0)));
    assertRefused(Reason.PATH, body(with(delete, 4, 0xff)));
  }

  @Test
  void batchesInBatchesAreRefusedAtTheFirst() {
    byte[] deep = new byte[Entry.MAX_BODY_BYTES];
    for (int at = 0; at + 2 < deep.length; at += 3) {
      deep[at] = 8;
      deep[at + 1] = 1;
    }
    assertRefused(Reason.REQUEST, body(deep));
  }

  @Test
  void damagedBodiesAreValuesOrRefused() {
    Mutator mutator =
        new Mutator(
            17, 300, Samples.requests().stream().map(each -> Samples.first(each).body()).toList());
    mutator.run(
        20_000,
        bytes -> {
          if (RequestCodec.decode(body(bytes)) instanceof Decoded.Value<Submission> value) {
            Request request = value.value().request();
            byte[] head = RequestCodec.encode(request);
            assertEquals(bytes.length, head.length + request.contentBytes());
            assertArrayEquals(head, Arrays.copyOf(bytes, head.length));
          } else {
            throw new IllegalArgumentException("refused");
          }
        });
    assertTrue(mutator.accepted() > 500, () -> mutator.accepted() + " taken");
    assertTrue(mutator.refused() > 500, () -> mutator.refused() + " refused");
  }

  private static Entry body(byte[] bytes) {
    return new Entry(Samples.ORIGIN, EntryKind.REQUEST, 0, 1, bytes);
  }

  private static byte[] with(Entry entry, int at, int value) {
    byte[] changed = entry.body().clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static void assertRefused(Reason reason, Entry entry) {
    assertEquals(
        reason,
        assertInstanceOf(Decoded.Refused.class, RequestCodec.decode(entry)).reason(),
        () -> RequestCodec.decode(entry).toString());
  }
}
