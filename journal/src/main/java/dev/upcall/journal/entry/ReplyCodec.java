package dev.upcall.journal.entry;

import dev.upcall.FileVersion;
import dev.upcall.journal.entry.Decoded.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replies and dead letters as entries. Who asked and which request is in the entry's origin, for a
 * reply with zeros as generation and incarnation. Only what is written here is decoded.
 *
 * <pre>
 *  result        0  failure, 0 for none (1)
 *                1  file id (8)    9  its version (8); zeros where there is no file
 *               17  message of the failure, UTF-8
 *  reply         0  result
 *  dead letter   0  index of the request's last entry (8)
 *                8  entries of the request (4)   12  of them kept (4)
 *               16  result
 * </pre>
 */
public final class ReplyCodec {
  private static final int RESULT_BYTES = 17;
  private static final int LETTER_BYTES = 16;

  /** A character takes at most three bytes. */
  private static final int MAX_MESSAGE_BYTES = 3 * Reply.Failed.MAX_CHARS;

  private ReplyCodec() {}

  /** The entry of a reply. */
  public static Entry encode(Reply reply) {
    Origin origin = new Origin(reply.queue(), 0, reply.producer(), 0, reply.sequence());
    byte[] body = new byte[sizeOf(reply.result())];
    put(wrap(body), reply.result());
    return new Entry(origin, EntryKind.REPLY, 0, 1, body);
  }

  /** The entry of a dead letter. */
  public static Entry encode(DeadLetter letter) {
    byte[] body = new byte[LETTER_BYTES + sizeOf(letter.failure())];
    ByteBuffer to = wrap(body).putLong(letter.index());
    put(to.putInt(letter.parts()).putInt(letter.kept()), letter.failure());
    return new Entry(letter.origin(), EntryKind.DEAD_LETTER, 0, 1, body);
  }

  /** The reply that an entry is. */
  public static Decoded<Reply> decodeReply(Entry entry) {
    Origin from = entry.origin();
    boolean mayBe =
        entry.kind() == EntryKind.REPLY
            && entry.parts() == 1
            && from.generation() == 0
            && from.incarnation() == 0;
    return mayBe
        ? result(wrap(entry.body()))
            .flatMap(
                result ->
                    new Decoded.Value<>(
                        new Reply(from.queue(), from.producer(), from.sequence(), result)))
        : refused(Reason.HEAD, entry.kind() + " is no reply");
  }

  /** The dead letter that an entry is. */
  public static Decoded<DeadLetter> decodeLetter(Entry entry) {
    if (entry.kind() != EntryKind.DEAD_LETTER || entry.parts() != 1) {
      return refused(Reason.HEAD, entry.kind() + " is no dead letter");
    }
    ByteBuffer body = wrap(entry.body());
    if (body.remaining() < LETTER_BYTES) {
      return refused(Reason.LENGTH, "a dead letter that ends too early");
    }
    long index = body.getLong();
    int parts = body.getInt();
    int kept = body.getInt();
    return result(body).flatMap(result -> letter(entry.origin(), index, result, parts, kept));
  }

  private static Decoded<DeadLetter> letter(
      Origin origin, long index, Reply.Result result, int parts, int kept) {
    try {
      return result instanceof Reply.Failed failure
          ? new Decoded.Value<>(new DeadLetter(origin, index, failure, parts, kept))
          : refused(Reason.HEAD, "a dead letter of what was done");
    } catch (IllegalArgumentException wrong) {
      return refused(Reason.HEAD, String.valueOf(wrong.getMessage()));
    }
  }

  private static ByteBuffer wrap(byte[] body) {
    return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int sizeOf(Reply.Result result) {
    return RESULT_BYTES + message(result).length;
  }

  private static byte[] message(Reply.Result result) {
    return result instanceof Reply.Failed(FailureCode _, String message)
        ? message.getBytes(StandardCharsets.UTF_8)
        : new byte[0];
  }

  private static void put(ByteBuffer to, Reply.Result result) {
    switch (result) {
      case Reply.Done(Optional<FileVersion> file) ->
          to.put((byte) 0)
              .putLong(file.map(FileVersion::id).orElse(0L))
              .putLong(file.map(FileVersion::version).orElse(0L));
      case Reply.Failed(FailureCode code, String _) ->
          to.put((byte) code.code()).putLong(0).putLong(0).put(message(result));
    }
  }

  private static Decoded<Reply.Result> result(ByteBuffer from) {
    if (from.remaining() < RESULT_BYTES) {
      return refused(Reason.LENGTH, "a reply that ends too early");
    }
    if (from.remaining() > RESULT_BYTES + MAX_MESSAGE_BYTES) {
      return refused(Reason.TOO_LARGE, "a reply with a message of " + from.remaining() + " bytes");
    }
    int code = Byte.toUnsignedInt(from.get());
    long id = from.getLong();
    long version = from.getLong();
    boolean isFile = id != 0 || version != 0;
    boolean mayBe = code == 0 ? !from.hasRemaining() : !isFile;
    Reply.Result result =
        code == 0
            ? new Reply.Done(Optional.of(new FileVersion(id, version)).filter(_ -> isFile))
            : failed(code, from);
    return result == null || !mayBe
        ? refused(Reason.HEAD, "a reply that nobody writes, with failure " + code)
        : new Decoded.Value<>(result);
  }

  private static Reply.@Nullable Failed failed(int code, ByteBuffer text) {
    FailureCode known = FailureCode.of(code).orElse(null);
    try {
      String message = StandardCharsets.UTF_8.newDecoder().decode(text).toString();
      boolean fits = message.length() <= Reply.Failed.MAX_CHARS;
      return known == null || !fits ? null : new Reply.Failed(known, message);
    } catch (CharacterCodingException malformed) {
      return null;
    }
  }

  private static <T> Decoded<T> refused(Reason reason, String message) {
    return new Decoded.Refused<>(reason, message);
  }
}
