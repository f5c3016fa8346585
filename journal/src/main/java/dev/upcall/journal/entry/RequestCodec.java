package dev.upcall.journal.entry;

import dev.upcall.journal.entry.Condition.Existence;
import dev.upcall.journal.entry.Decoded.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests as bytes, little-endian: a byte for the kind, then its fields in the order of the
 * record. A path is two bytes of length and its UTF-8; a truth is a byte, 0 or 1; a condition is a
 * byte for existence and a truth whether a version follows (8 and 8 bytes); a batch is two bytes of
 * number and its requests. Contents follow behind all of that. Only what is written here is
 * decoded.
 */
public final class RequestCodec {
  private static final int PUT = 1;
  private static final int WRITE = 2;
  private static final int APPEND = 3;
  private static final int DELETE = 4;
  private static final int DELETE_TREE = 5;
  private static final int RENAME = 6;
  private static final int CREATE_DIRECTORY = 7;
  private static final int BATCH = 8;

  /** By the byte that stands for them. */
  private static final List<Existence> EXISTENCES =
      List.of(Existence.ANY, Existence.MUST_EXIST, Existence.MUST_NOT_EXIST);

  private RequestCodec() {}

  /**
   * The bytes that stand before the contents. Throws {@link IllegalArgumentException} when it does
   * not fit an entry with its contents, or for what has parts, 2^22 of them.
   */
  public static byte[] encode(Request request) {
    ByteBuffer head = ByteBuffer.allocate(sizeOf(request)).order(ByteOrder.LITTLE_ENDIAN);
    put(head, request);
    long most =
        mayHaveParts(request)
            ? (long) Entry.MAX_PARTS * Entry.MAX_BODY_BYTES
            : Entry.MAX_BODY_BYTES;
    if (request.contentBytes() > most - head.capacity()) {
      throw new IllegalArgumentException(
          "%d bytes of content are too many behind %d of a request"
              .formatted(request.contentBytes(), head.capacity()));
    }
    return head.array();
  }

  /** The request that begins with an entry. */
  public static Decoded<Submission> decode(Entry first) {
    ByteBuffer body = ByteBuffer.wrap(first.body()).order(ByteOrder.LITTLE_ENDIAN);
    Request request;
    try {
      request = get(body);
    } catch (NoPath none) {
      return new Decoded.Refused<>(Reason.PATH, "a path that is none");
    } catch (BufferUnderflowException tooShort) {
      return new Decoded.Refused<>(Reason.REQUEST, "a request that ends too early");
    } catch (IllegalArgumentException wrong) {
      return new Decoded.Refused<>(Reason.REQUEST, String.valueOf(wrong.getMessage()));
    }
    String wrong = whatIsWrong(first, request, body.position());
    return wrong == null
        ? new Decoded.Value<>(new Submission(request, body.position()))
        : new Decoded.Refused<>(Reason.LENGTH, wrong);
  }

  /** Contents of these are handed on as they come; all others are whole in one entry. */
  private static boolean mayHaveParts(Request request) {
    return request instanceof Request.Put;
  }

  private static @Nullable String whatIsWrong(Entry first, Request request, int headBytes) {
    if (first.part() != 0) {
      return "part " + first.part() + " begins no request";
    }
    long most = (long) Entry.MAX_PARTS * Entry.MAX_BODY_BYTES - headBytes;
    if (request.contentBytes() > most) {
      return "a content of " + request.contentBytes() + " bytes";
    }
    long bytes = headBytes + request.contentBytes();
    boolean fits =
        first.parts() == Entry.partsOf(bytes)
            && (first.parts() == 1 || mayHaveParts(request))
            && first.body().length == Math.min(bytes, Entry.MAX_BODY_BYTES);
    return fits
        ? null
        : "a request of %d bytes in %d parts, of which the first has %d"
            .formatted(bytes, first.parts(), first.body().length);
  }

  private static int sizeOf(Request request) {
    return 1
        + switch (request) {
          case Request.Put put -> sizeOf(put.path()) + sizeOf(put.condition()) + 1 + Long.BYTES;
          case Request.Write write -> sizeOf(write.path()) + 2 * Long.BYTES;
          case Request.Append append -> sizeOf(append.path()) + Long.BYTES;
          case Request.Delete delete -> sizeOf(delete.path()) + sizeOf(delete.condition());
          case Request.DeleteTree delete -> sizeOf(delete.path()) + sizeOf(delete.condition());
          case Request.Rename rename ->
              sizeOf(rename.from()) + sizeOf(rename.to()) + sizeOf(rename.target());
          case Request.CreateDirectory create -> sizeOf(create.path()) + 1;
          case Request.Batch batch ->
              Short.BYTES + batch.requests().stream().mapToInt(RequestCodec::sizeOf).sum();
        };
  }

  private static int sizeOf(String path) {
    return Short.BYTES + RequestPath.encode(path).length;
  }

  private static int sizeOf(Condition condition) {
    return 2 + (condition.version().isEmpty() ? 0 : 2 * Long.BYTES);
  }

  private static void put(ByteBuffer to, Request request) {
    switch (request) {
      case Request.Put(String path, Condition condition, boolean parents, long contentBytes) -> {
        put(put(to.put((byte) PUT), path), condition);
        put(to, parents).putLong(contentBytes);
      }
      case Request.Write(String path, long offset, long contentBytes) ->
          put(to.put((byte) WRITE), path).putLong(offset).putLong(contentBytes);
      case Request.Append(String path, long contentBytes) ->
          put(to.put((byte) APPEND), path).putLong(contentBytes);
      case Request.Delete(String path, Condition condition) ->
          put(put(to.put((byte) DELETE), path), condition);
      case Request.DeleteTree(String path, Condition condition) ->
          put(put(to.put((byte) DELETE_TREE), path), condition);
      case Request.Rename(String from, String onto, Condition target) ->
          put(put(put(to.put((byte) RENAME), from), onto), target);
      case Request.CreateDirectory(String path, boolean parents) ->
          put(put(to.put((byte) CREATE_DIRECTORY), path), parents);
      case Request.Batch(List<Request> requests) -> {
        to.put((byte) BATCH).putShort((short) requests.size());
        requests.forEach(each -> put(to, each));
      }
    }
  }

  private static ByteBuffer put(ByteBuffer to, String path) {
    byte[] bytes = RequestPath.encode(path);
    return to.putShort((short) bytes.length).put(bytes);
  }

  private static ByteBuffer put(ByteBuffer to, boolean truth) {
    return to.put((byte) (truth ? 1 : 0));
  }

  private static ByteBuffer put(ByteBuffer to, Condition condition) {
    Condition.Version version = condition.version().orElse(null);
    put(to.put((byte) EXISTENCES.indexOf(condition.existence())), version != null);
    return version == null ? to : to.putLong(version.id()).putLong(version.version());
  }

  private static Request get(ByteBuffer from) {
    int kind = from.get();
    return switch (kind) {
      case PUT -> new Request.Put(path(from), condition(from), truth(from), from.getLong());
      case WRITE -> new Request.Write(path(from), from.getLong(), from.getLong());
      case APPEND -> new Request.Append(path(from), from.getLong());
      case DELETE -> new Request.Delete(path(from), condition(from));
      case DELETE_TREE -> new Request.DeleteTree(path(from), condition(from));
      case RENAME -> new Request.Rename(path(from), path(from), condition(from));
      case CREATE_DIRECTORY -> new Request.CreateDirectory(path(from), truth(from));
      case BATCH -> new Request.Batch(requests(from));
      default -> throw new IllegalArgumentException("no request is of kind " + kind);
    };
  }

  private static List<Request> requests(ByteBuffer from) {
    int count = Short.toUnsignedInt(from.getShort());
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // Refused here already: batches in batches would go as deep as an entry is long.
      if (from.hasRemaining() && from.get(from.position()) == BATCH) {
        throw new IllegalArgumentException("a batch in a batch");
      }
      requests.add(get(from));
    }
    return requests;
  }

  private static String path(ByteBuffer from) {
    int bytes = Short.toUnsignedInt(from.getShort());
    if (bytes > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] encoded = new byte[bytes];
    from.get(encoded);
    String path = RequestPath.decode(encoded);
    if (path == null) {
      throw new NoPath();
    }
    return path;
  }

  private static boolean truth(ByteBuffer from) {
    int truth = from.get();
    if (truth != 0 && truth != 1) {
      throw new IllegalArgumentException("a truth that is " + truth);
    }
    return truth == 1;
  }

  private static Condition condition(ByteBuffer from) {
    int existence = from.get();
    if (existence < 0 || existence >= EXISTENCES.size()) {
      throw new IllegalArgumentException("an existence that is " + existence);
    }
    boolean hasVersion = truth(from);
    return new Condition(
        EXISTENCES.get(existence),
        hasVersion
            ? Optional.of(new Condition.Version(from.getLong(), from.getLong()))
            : Optional.empty());
  }

  /** Bytes where a path should be. */
  private static final class NoPath extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoPath() {
      super("no path", null, false, false);
    }
  }
}
