package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.journal.entry.Condition.Existence;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any bytes are a value or a typed refusal, and every value comes back as it was. */
class EntryProperties {
  private static final int TRIES = 500;

  @Property(tries = TRIES, seed = "1")
  void anyBytesAreAnEntryOrRefused(@ForAll("bytes") byte[] bytes) {
    if (EntryCodec.decode(bytes) instanceof Decoded.Value<Entry>(Entry entry)) {
      assertArrayEquals(bytes, EntryCodec.encode(entry));
    }
  }

  @Property(tries = TRIES, seed = "2")
  void anyBodyIsARequestOrRefused(@ForAll("bytes") byte[] body) {
    Entry entry = new Entry(Samples.ORIGIN, EntryKind.REQUEST, 0, 1, body);
    if (RequestCodec.decode(entry) instanceof Decoded.Value<Submission>(Submission value)) {
      byte[] head = RequestCodec.encode(value.request());
      assertEquals(head.length, value.contentAt());
      assertEquals(body.length, head.length + value.request().contentBytes());
    }
  }

  @Property(tries = TRIES, seed = "3")
  void entriesComeBack(@ForAll("origins") Origin origin, @ForAll("bytes") byte[] body) {
    long appended = origin.sequence() ^ body.length;
    Entry entry = new Entry(origin, EntryKind.REQUEST, 0, 1, body, appended);
    byte[] bytes = EntryCodec.encode(entry);
    assertEquals(new Decoded.Value<>(entry), EntryCodec.decode(bytes));
  }

  @Property(tries = TRIES, seed = "4")
  void requestsComeBack(@ForAll("requests") Request request) {
    Entry first = Samples.first(request);
    assertEquals(
        new Decoded.Value<>(new Submission(request, RequestCodec.encode(request).length)),
        EntryCodec.decode(EntryCodec.encode(first)).flatMap(RequestCodec::decode));
  }

  @Property(tries = TRIES, seed = "5")
  void repliesComeBack(@ForAll("replies") Reply reply) {
    assertEquals(
        new Decoded.Value<>(reply),
        EntryCodec.decode(EntryCodec.encode(ReplyCodec.encode(reply)))
            .flatMap(ReplyCodec::decodeReply));
    if (reply.result() instanceof Reply.Failed failure) {
      DeadLetter letter = new DeadLetter(Samples.ORIGIN, reply.sequence(), failure, 100, 1);
      assertEquals(new Decoded.Value<>(letter), ReplyCodec.decodeLetter(ReplyCodec.encode(letter)));
    }
  }

  @Provide
  Arbitrary<Reply> replies() {
    Arbitrary<Optional<Condition.Version>> files =
        Combinators.combine(Arbitraries.longs().greaterOrEqual(1), Arbitraries.longs())
            .as(Condition.Version::new)
            .optional(0.7);
    Arbitrary<String> messages = paths().map(text -> text.repeat(1 + text.length() % 9));
    Arbitrary<Reply.Result> results =
        Arbitraries.oneOf(
            List.of(
                files.map(Reply.Done::new),
                Combinators.combine(Arbitraries.of(FailureCode.values()), messages)
                    .as(Reply.Failed::new)));
    return Combinators.combine(origins(), results)
        .as((from, result) -> new Reply(from.queue(), from.producer(), from.sequence(), result));
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
  }

  @Provide
  Arbitrary<Origin> origins() {
    Arbitrary<Long> numbers = Arbitraries.longs();
    Arbitrary<UUID> ids = Combinators.combine(numbers, numbers).as(UUID::new);
    return Combinators.combine(ids, numbers, ids, numbers, numbers).as(Origin::new);
  }

  @Provide
  Arbitrary<Request> requests() {
    Arbitrary<Request> inBatch = inBatch(300);
    Arbitrary<Request> batch = inBatch.list().ofMinSize(1).ofMaxSize(20).map(Request.Batch::new);
    Arbitrary<Long> small = Arbitraries.longs().between(0, 2000);
    Arbitrary<Request> write =
        Combinators.combine(paths(), Arbitraries.longs().between(0, 1L << 60), small)
            .as(Request.Write::new);
    Arbitrary<Request> append = Combinators.combine(paths(), small).as(Request.Append::new);
    return Arbitraries.oneOf(List.of(inBatch(1L << 40), batch, write, append));
  }

  private static Arbitrary<Request> inBatch(long mostBytes) {
    long most = Math.min(mostBytes, (1L << 40) - (1 << 17));
    Arbitrary<Boolean> truths = Arbitraries.of(true, false);
    Arbitrary<Long> sizes = Arbitraries.longs().between(0, most);
    Arbitrary<Request> put =
        Combinators.combine(paths(), conditions(), truths, sizes).as(Request.Put::new);
    Arbitrary<Request> delete = Combinators.combine(paths(), conditions()).as(Request.Delete::new);
    Arbitrary<Request> deleteTree =
        Combinators.combine(paths(), conditions()).as(Request.DeleteTree::new);
    Arbitrary<Request> rename =
        Combinators.combine(paths(), paths(), conditions()).as(Request.Rename::new);
    Arbitrary<Request> create =
        Combinators.combine(paths(), truths).as(Request.CreateDirectory::new);
    return Arbitraries.oneOf(List.of(put, delete, deleteTree, rename, create));
  }

  private static Arbitrary<String> paths() {
    return Arbitraries.strings()
        .excludeChars('\0')
        .ofMaxLength(30)
        .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)))
        .map(text -> "/" + text);
  }

  private static Arbitrary<Condition> conditions() {
    Arbitrary<Optional<Condition.Version>> versions =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
            .as(Condition.Version::new)
            .optional(0.5);
    return Combinators.combine(Arbitraries.of(Existence.values()), versions).as(Condition::new);
  }
}
