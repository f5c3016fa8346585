package dev.upcall.journal.entry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.FileVersion;
import dev.upcall.request.codec.Submission;
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
    if (SubmissionCodec.decode(entry) instanceof Decoded.Value<Submission>(Submission value)) {
      assertArrayEquals(body, SubmissionCodec.encode(value));
    }
  }

  @Property(tries = TRIES, seed = "3")
  void entriesComeBack(@ForAll("origins") Origin origin, @ForAll("bytes") byte[] body) {
    long appended = origin.sequence() ^ body.length;
    Entry entry = new Entry(origin, EntryKind.REQUEST, 0, 1, body, appended);
    byte[] bytes = EntryCodec.encode(entry);
    assertEquals(new Decoded.Value<>(entry), EntryCodec.decode(bytes));
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
    Arbitrary<Optional<FileVersion>> files =
        Combinators.combine(Arbitraries.longs().greaterOrEqual(1), Arbitraries.longs())
            .as(FileVersion::new)
            .optional(0.7);
    Arbitrary<String> messages = texts().map(text -> text.repeat(1 + text.length() % 9));
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

  private static Arbitrary<String> texts() {
    return Arbitraries.strings()
        .excludeChars('\0')
        .ofMaxLength(30)
        .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)));
  }
}
