package dev.upcall.journal.entry;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Requests and entries for tests. */
public final class Samples {
  public static final Origin ORIGIN =
      new Origin(new UUID(0x1112131415161718L, 0x191a1b1c1d1e1f20L), 3, new UUID(7, 8), 9, 10);

  private static final Condition ONLY =
      new Condition(Condition.Existence.MUST_EXIST, Optional.of(new Condition.Version(5, 6)));

  private Samples() {}

  /** One of each kind. */
  public static List<Request> requests() {
    List<Request> some =
        List.of(
            new Request.Put("/a/b", Condition.NONE, true, 3),
            new Request.Delete("/é", ONLY),
            new Request.DeleteTree("/tree", Condition.ABSENT),
            new Request.Rename("/from", "/to", ONLY),
            new Request.CreateDirectory("/d", false));
    return List.of(
        some.get(0),
        some.get(1),
        some.get(2),
        some.get(3),
        some.get(4),
        new Request.Write("/w", 1L << 40, 2),
        new Request.Append("/log", 0),
        new Request.Batch(some));
  }

  /** The entry of a request with contents of some bytes; of its first part, if it has parts. */
  public static Entry first(Request request) {
    byte[] head = RequestCodec.encode(request);
    long bytes = head.length + request.contentBytes();
    byte[] body = Arrays.copyOf(head, (int) Math.min(bytes, Entry.MAX_BODY_BYTES));
    Arrays.fill(body, head.length, body.length, (byte) 'x');
    return new Entry(ORIGIN, EntryKind.REQUEST, 0, Entry.partsOf(bytes), body, 1_700_000_000_123L);
  }
}
