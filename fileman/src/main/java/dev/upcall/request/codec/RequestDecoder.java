package dev.upcall.request.codec;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.config.Limits;
import dev.upcall.content.Texts;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what {@link RequestEncoder} has written, and nothing else: any other bytes are an {@link
 * IllegalArgumentException}. One thread.
 */
public class RequestDecoder {
  private static final int MOST_BITS = Long.SIZE - Long.SIZE % RequestForm.BITS;

  private final ByteBuffer from;

  /** Reads these bytes, from the buffer's position on. */
  public RequestDecoder(ByteBuffer from) {
    this.from = Objects.requireNonNull(from, "from");
  }

  /**
   * The submission that bytes are. Content that goes on behind them is {@link
   * FileContent.Following}; the buffer's position is then where it begins, else at the limit.
   */
  public static Submission decode(ByteBuffer from) {
    RequestDecoder decoder = new RequestDecoder(from);
    try {
      Submission submission = decoder.submission();
      check(
          submission.followingBytes() > 0 || !from.hasRemaining(),
          "bytes behind a request:",
          from.remaining());
      return submission;
    } catch (BufferUnderflowException tooShort) {
      throw new IllegalArgumentException("a request that ends too early", tooShort);
    }
  }

  private Submission submission() {
    int version = one();
    check(version == RequestForm.VERSION, "a request of an unknown version,", version);
    int kind = one();
    return switch (kind) {
      case RequestForm.WRITE -> new Submission.Write(path(), number(), bytes());
      case RequestForm.APPEND -> new Submission.Append(path(), bytes());
      case RequestForm.BATCH -> {
        long count = number();
        Limits.within("requests of a batch", count, 2, Submission.MAX_REQUESTS);
        List<FileRequest> requests = new ArrayList<>();
        for (long i = 0; i < count; i++) {
          requests.add(request());
        }
        yield new Submission.Changes(requests);
      }
      default -> Submission.of(request(kind));
    };
  }

  /** One request. */
  public final FileRequest request() {
    return request(one());
  }

  private FileRequest request(int kind) {
    return switch (kind) {
      case RequestForm.PUT -> put(path());
      case RequestForm.CREATE_DIRECTORY ->
          new FileRequest.CreateDirectory(path(), parents(flags(RequestForm.PARENTS)), metadata());
      case RequestForm.SYMBOLIC_LINK -> new FileRequest.SymbolicLink(path(), target(), metadata());
      case RequestForm.DELETE -> new FileRequest.Delete(path(), condition());
      case RequestForm.DELETE_TREE -> new FileRequest.DeleteTree(path(), condition());
      case RequestForm.RENAME -> new FileRequest.Rename(path(), path(), condition());
      case RequestForm.CLONE -> new FileRequest.Clone(path(), path(), condition());
      case RequestForm.SPLICE -> splice();
      case RequestForm.COPY_RANGE ->
          new FileRequest.CopyRange(
              new FileRequest.Range(path(), number(), number()),
              path(),
              number(),
              flags(RequestForm.OVERWRITE) == 0
                  ? FileRequest.Placing.INSERT
                  : FileRequest.Placing.OVERWRITE,
              condition());
      case RequestForm.SET_METADATA ->
          new FileRequest.SetMetadata(
              path(), links(flags(RequestForm.NO_FOLLOW)), metadata(), condition());
      case RequestForm.SET_PROPERTY -> new FileRequest.SetProperty(text(), bytes());
      case RequestForm.REMOVE_PROPERTY -> new FileRequest.RemoveProperty(text());
      case RequestForm.CREATE_TABLE,
          RequestForm.PUT_ENTRY,
          RequestForm.REMOVE_ENTRY,
          RequestForm.REMOVE_RANGE,
          RequestForm.PUT_VALUE ->
          ofTable(kind);
      default -> throw new IllegalArgumentException("no request of kind " + kind);
    };
  }

  private FileRequest ofTable(int kind) {
    try {
      return switch (kind) {
        case RequestForm.CREATE_TABLE ->
            new TableRequest.CreateTable(path(), parents(flags(RequestForm.PARENTS)), metadata());
        case RequestForm.PUT_ENTRY -> {
          StorePath path = path();
          byte[] key = key();
          Expect expect = expect();
          yield new TableRequest.PutEntry(path, key, bytes(), expect);
        }
        case RequestForm.REMOVE_ENTRY -> new TableRequest.RemoveEntry(path(), key(), expect());
        case RequestForm.PUT_VALUE -> {
          byte[] key = key();
          yield put(path().entry(key));
        }
        default -> new TableRequest.RemoveRange(path(), range(), count());
      };
    } catch (UpcallException outOfBounds) {
      throw new IllegalArgumentException(outOfBounds.getMessage(), outOfBounds);
    }
  }

  private int count() {
    long count = number();
    check(count == (int) count, "an impossible number of entries,", count);
    return (int) count;
  }

  private Expect expect() {
    int kind = one();
    return switch (kind) {
      case RequestForm.ANY_ENTRY -> Expect.ANY;
      case RequestForm.NO_ENTRY -> Expect.ABSENT;
      case RequestForm.SOME_ENTRY -> Expect.PRESENT;
      case RequestForm.ENTRY_VALUE -> Expect.value(bytes());
      default -> throw new IllegalArgumentException("nothing is expected by kind " + kind);
    };
  }

  private KeyRange range() {
    int flags = flags(RequestForm.FROM | RequestForm.BELOW);
    boolean hasFrom = (flags & RequestForm.FROM) != 0;
    byte[] from = hasFrom ? key() : new byte[0];
    check(!hasFrom || from.length > 0, "bytes of the first key:", from.length);
    return new KeyRange(
        from, (flags & RequestForm.BELOW) == 0 ? Optional.empty() : Optional.of(key()));
  }

  /** A path. */
  protected StorePath path() {
    String text = text();
    Completion<StorePath> parsed =
        text.startsWith("#") ? fromDirectory(text) : StorePath.parse(text);
    return switch (parsed) {
      case Completion.Failed<StorePath> failed ->
          throw new IllegalArgumentException(failed.failure().message());
      case Completion.Done<StorePath>(StorePath path) -> {
        check(
            path.toString().equals(text),
            "a path that is written another way, of length",
            text.length());
        yield path;
      }
    };
  }

  /** Its text is the directory's id behind a #, then the names. */
  private static Completion<StorePath> fromDirectory(String text) {
    int slash = text.indexOf('/');
    String id = text.substring(1, slash < 0 ? text.length() : slash);
    return StorePath.parse(Long.parseLong(id), slash < 0 ? "" : text.substring(slash + 1));
  }

  /** Where a symbolic link leads. */
  protected String target() {
    return text();
  }

  /** A text. */
  protected String text() {
    return switch (Texts.decode("a text", take())) {
      case Completion.Done<String>(String text) -> text;
      case Completion.Failed<String> failed ->
          throw new IllegalArgumentException(failed.failure().message());
    };
  }

  /** Content or the value of a property. */
  protected byte[] bytes() {
    return take();
  }

  /** The key of an entry of a table. */
  protected byte[] key() {
    return take();
  }

  /** The content of a put; what does not stand here follows. */
  protected FileContent content() {
    long size = number();
    Limits.within("bytes of content", size, 0, FileRequest.MAX_FILE_BYTES);
    return size > from.remaining()
        ? new FileContent.Following(size)
        : new FileContent.Bytes(take((int) size));
  }

  /** Reads one more attribute. */
  protected void attribute(SortedMap<String, byte[]> to) {
    String name = text();
    check(
        to.isEmpty() || name.compareTo(to.lastKey()) > 0,
        "an attribute that is out of order, number",
        to.size());
    to.put(name, take());
  }

  /** Bytes behind their length. */
  protected final byte[] take() {
    long size = number();
    if (size < 0 || size > from.remaining()) {
      throw new BufferUnderflowException();
    }
    return take((int) size);
  }

  private byte[] take(int size) {
    byte[] bytes = new byte[size];
    from.get(bytes);
    return bytes;
  }

  /** A number, in as few bytes as it takes. */
  protected final long number() {
    long number = 0;
    for (int shift = 0; ; shift += RequestForm.BITS) {
      int next = one();
      boolean isLast = next < RequestForm.MORE;
      check(
          (shift < MOST_BITS || next <= 1) && !(isLast && next == 0 && shift > 0),
          "a number that goes on with byte",
          next);
      number |= (long) (next & (RequestForm.MORE - 1)) << shift;
      if (isLast) {
        return number;
      }
    }
  }

  private int one() {
    return Byte.toUnsignedInt(from.get());
  }

  private int flags(int known) {
    int flags = one();
    check((flags & ~known) == 0, "unknown flags", flags);
    return flags;
  }

  private FileRequest put(StorePath path) {
    int flags = flags(RequestForm.PARENTS | RequestForm.NO_FOLLOW);
    PutOptions options = new PutOptions(condition(), parents(flags), links(flags), metadata());
    return new FileRequest.Put(path, content(), options);
  }

  private FileRequest splice() {
    StorePath path = path();
    long offset = number();
    long removed = number();
    FileCondition condition = condition();
    return new FileRequest.Splice(path, offset, removed, bytes(), condition);
  }

  private static Parents parents(int flags) {
    return (flags & RequestForm.PARENTS) == 0 ? Parents.MUST_EXIST : Parents.MAKE;
  }

  private static LinkPolicy links(int flags) {
    return (flags & RequestForm.NO_FOLLOW) == 0 ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW;
  }

  private FileCondition condition() {
    int flags = flags(2 * RequestForm.UNMODIFIED - 1);
    int existence = flags & (RequestForm.DIRECTORY - 1);
    check(existence < RequestForm.EXISTENCES.size(), "an unknown existence,", existence);
    Optional<List<FileVersion>> anyOf =
        (flags & RequestForm.ANY_OF) == 0 ? Optional.empty() : Optional.of(versions());
    boolean excludes = (flags & RequestForm.NONE_OF) != 0;
    List<FileVersion> noneOf = excludes ? versions() : List.of();
    check(!excludes || !noneOf.isEmpty(), "excluded versions:", 0);
    return new FileCondition(
        RequestForm.EXISTENCES.get(existence),
        anyOf,
        noneOf,
        optional(flags, RequestForm.UNMODIFIED),
        (flags & RequestForm.DIRECTORY) != 0);
  }

  private List<FileVersion> versions() {
    long count = number();
    List<FileVersion> versions = new ArrayList<>();
    for (long i = 0; i != count; i++) {
      versions.add(new FileVersion(number(), number()));
    }
    return versions;
  }

  private OptionalLong optional(int flags, int flag) {
    return (flags & flag) == 0 ? OptionalLong.empty() : OptionalLong.of(number());
  }

  private MetadataChange metadata() {
    int flags = flags(2 * RequestForm.ATTRIBUTES - 1);
    return new MetadataChange(
        mode(flags),
        optional(flags, RequestForm.OWNER),
        optional(flags, RequestForm.CREATED),
        optional(flags, RequestForm.MODIFIED),
        (flags & RequestForm.EXPIRY) == 0 ? Optional.empty() : Optional.of(expiry()),
        (flags & RequestForm.ATTRIBUTES) == 0 ? new TreeMap<>() : attributes());
  }

  private OptionalInt mode(int flags) {
    OptionalLong mode = optional(flags, RequestForm.MODE);
    check(mode.orElse(0) >>> Integer.SIZE == 0, "an impossible mode,", mode.orElse(0));
    return mode.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) mode.getAsLong());
  }

  private Expiry expiry() {
    int kind = one();
    return switch (kind) {
      case RequestForm.NEVER -> Expiry.NEVER;
      case RequestForm.AT -> new Expiry.At(number());
      case RequestForm.AFTER -> new Expiry.After(number());
      default -> throw new IllegalArgumentException("no expiry is of kind " + kind);
    };
  }

  private SortedMap<String, byte[]> attributes() {
    long count = number();
    check(count != 0, "attributes:", count);
    SortedMap<String, byte[]> attributes = new TreeMap<>();
    for (long i = 0; i != count; i++) {
      attribute(attributes);
    }
    return attributes;
  }

  /** The message is made only where something is wrong. */
  private static void check(boolean holds, String wrong, long value) {
    if (!holds) {
      throw new IllegalArgumentException(wrong + " " + value);
    }
  }
}
