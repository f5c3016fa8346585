package dev.upcall.request.codec;

import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.config.Limits;
import dev.upcall.content.Texts;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Writes changes as bytes: a byte for the kind, then the fields. A subclass may write paths, texts
 * and bytes in another way, where those are not to be kept. One thread.
 */
public class RequestEncoder {
  private static final int FIRST_BYTES = 64;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** One that has written nothing. */
  public RequestEncoder() {}

  /**
   * The bytes of a submission, with its contents; what follows it comes behind them. Throws {@link
   * IllegalArgumentException} for texts that have an unpaired surrogate.
   */
  public static byte[] encode(Submission submission) {
    RequestEncoder encoder = new RequestEncoder();
    encoder.one(RequestForm.VERSION);
    switch (Objects.requireNonNull(submission, "submission")) {
      case Submission.Changes(List<FileRequest> requests) -> {
        if (requests.size() > 1) {
          encoder.one(RequestForm.BATCH);
          encoder.number(requests.size());
        }
        requests.forEach(encoder::request);
      }
      case Submission.Write(StorePath path, long offset, byte[] content) -> {
        encoder.one(RequestForm.WRITE);
        encoder.path(path);
        encoder.number(offset);
        encoder.bytes(content);
      }
      case Submission.Append(StorePath path, byte[] content) -> {
        encoder.one(RequestForm.APPEND);
        encoder.path(path);
        encoder.bytes(content);
      }
    }
    // A large content has filled its array exactly.
    return encoder.size == encoder.bytes.length ? encoder.bytes : encoder.take();
  }

  /** The bytes written since the last call. */
  public final byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, size);
    size = 0;
    return taken;
  }

  /** Writes one request. Its content must be given as bytes or follow. */
  public final void request(FileRequest request) {
    switch (Objects.requireNonNull(request, "request")) {
      case FileRequest.Put put -> {
        place(put.path());
        one(flags(put.options().parents()) | flags(put.options().links()));
        condition(put.options().condition());
        metadata(put.options().metadata());
        content(put.content());
      }
      case FileRequest.CreateDirectory create -> {
        one(RequestForm.CREATE_DIRECTORY);
        path(create.path());
        one(flags(create.parents()));
        metadata(create.metadata());
      }
      case FileRequest.SymbolicLink link -> {
        one(RequestForm.SYMBOLIC_LINK);
        path(link.path());
        target(link.target());
        metadata(link.metadata());
      }
      case FileRequest.Delete delete -> {
        one(RequestForm.DELETE);
        path(delete.path());
        condition(delete.condition());
      }
      case FileRequest.DeleteTree delete -> {
        one(RequestForm.DELETE_TREE);
        path(delete.path());
        condition(delete.condition());
      }
      case FileRequest.Rename rename -> {
        one(RequestForm.RENAME);
        path(rename.from());
        path(rename.to());
        condition(rename.target());
      }
      case FileRequest.Clone clone -> {
        one(RequestForm.CLONE);
        path(clone.from());
        path(clone.to());
        condition(clone.target());
      }
      case FileRequest.Splice splice -> {
        one(RequestForm.SPLICE);
        path(splice.path());
        number(splice.offset());
        number(splice.removed());
        condition(splice.condition());
        bytes(splice.bytes());
      }
      case FileRequest.CopyRange copy -> {
        one(RequestForm.COPY_RANGE);
        path(copy.from().path());
        number(copy.from().offset());
        number(copy.from().bytes());
        path(copy.to());
        number(copy.offset());
        one(copy.placing() == FileRequest.Placing.OVERWRITE ? RequestForm.OVERWRITE : 0);
        condition(copy.target());
      }
      case FileRequest.SetMetadata set -> {
        one(RequestForm.SET_METADATA);
        path(set.path());
        one(flags(set.links()));
        metadata(set.change());
        condition(set.condition());
      }
      case FileRequest.SetProperty set -> {
        one(RequestForm.SET_PROPERTY);
        text(set.name());
        bytes(set.value());
      }
      case FileRequest.RemoveProperty remove -> {
        one(RequestForm.REMOVE_PROPERTY);
        text(remove.name());
      }
      case TableRequest.CreateTable create -> {
        one(RequestForm.CREATE_TABLE);
        path(create.path());
        one(flags(create.parents()));
        metadata(create.metadata());
      }
      case TableRequest.PutEntry put -> {
        one(RequestForm.PUT_ENTRY);
        path(put.path());
        key(put.key());
        expect(put.expect());
        bytes(put.value());
      }
      case TableRequest.RemoveEntry remove -> {
        one(RequestForm.REMOVE_ENTRY);
        path(remove.path());
        key(remove.key());
        expect(remove.expect());
      }
      case TableRequest.RemoveRange remove -> {
        one(RequestForm.REMOVE_RANGE);
        path(remove.path());
        range(remove.range());
        number(remove.limit());
      }
    }
  }

  /** The kind of a put, and where it goes: to the path of a value by key and table. */
  private void place(StorePath path) {
    one(path.isEntry() ? RequestForm.PUT_VALUE : RequestForm.PUT);
    if (path.isEntry()) {
      key(path.key());
    }
    path(path.isEntry() ? path.parent() : path);
  }

  /** A path: its text. Nothing but a put goes to that of a value. */
  protected void path(StorePath path) {
    Limits.require(!path.isEntry(), "the path of a value in what is no put");
    text(path.toString());
  }

  /** Where a symbolic link leads: a text. */
  protected void target(String target) {
    text(target);
  }

  /** The name of a property or of an attribute: in UTF-8 behind its length. */
  protected void text(String text) {
    byte[] encoded = Texts.utf8(text).orElse(null);
    Limits.require(encoded != null, "a text with an unpaired surrogate");
    put(Objects.requireNonNull(encoded));
  }

  /** Content or the value of a property: behind its length. */
  protected void bytes(byte[] content) {
    put(content);
  }

  /** The key of an entry of a table: behind its length. */
  protected void key(byte[] key) {
    put(key);
  }

  /** An attribute: its name and its value. */
  protected void attribute(String name, byte[] value) {
    text(name);
    put(value);
  }

  /** Bytes behind their length. */
  protected final void put(byte[] content) {
    number(content.length);
    reserve(content.length);
    System.arraycopy(content, 0, bytes, size, content.length);
    size += content.length;
  }

  /** Seven bits in each byte, the lowest first; negative ones take ten bytes. */
  protected final void number(long number) {
    long left = number;
    while ((left & -RequestForm.MORE) != 0) {
      one((int) left | RequestForm.MORE);
      left >>>= RequestForm.BITS;
    }
    one((int) left);
  }

  private void one(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  private void reserve(int more) {
    if (more > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }

  private void content(FileContent content) {
    switch (content) {
      case FileContent.Bytes(byte[] given) -> bytes(given);
      case FileContent.Following(long sizeBytes) -> number(sizeBytes);
      case FileContent.Staged _ ->
          throw new IllegalArgumentException("content that was brought before has no bytes here");
    }
  }

  private static int flags(Parents parents) {
    return parents == Parents.MAKE ? RequestForm.PARENTS : 0;
  }

  private static int flags(LinkPolicy links) {
    return links == LinkPolicy.FOLLOW ? 0 : RequestForm.NO_FOLLOW;
  }

  private void condition(FileCondition condition) {
    one(
        RequestForm.EXISTENCES.indexOf(condition.existence())
            | flag(condition.directory(), RequestForm.DIRECTORY)
            | flag(condition.anyOf().isPresent(), RequestForm.ANY_OF)
            | flag(!condition.noneOf().isEmpty(), RequestForm.NONE_OF)
            | flag(condition.unmodifiedSinceNanos().isPresent(), RequestForm.UNMODIFIED));
    condition.anyOf().ifPresent(this::versions);
    if (!condition.noneOf().isEmpty()) {
      versions(condition.noneOf());
    }
    condition.unmodifiedSinceNanos().ifPresent(this::number);
  }

  private void expect(Expect expect) {
    switch (expect) {
      case Expect.Any _ -> one(RequestForm.ANY_ENTRY);
      case Expect.Absent _ -> one(RequestForm.NO_ENTRY);
      case Expect.Present _ -> one(RequestForm.SOME_ENTRY);
      case Expect.Value(byte[] value) -> {
        one(RequestForm.ENTRY_VALUE);
        bytes(value);
      }
    }
  }

  private void range(KeyRange range) {
    boolean hasFrom = range.from().length > 0;
    one(flag(hasFrom, RequestForm.FROM) | flag(range.below().isPresent(), RequestForm.BELOW));
    if (hasFrom) {
      key(range.from());
    }
    range.below().ifPresent(this::key);
  }

  private void versions(List<FileVersion> versions) {
    number(versions.size());
    for (FileVersion version : versions) {
      number(version.id());
      number(version.version());
    }
  }

  private void metadata(MetadataChange change) {
    one(
        flag(change.mode().isPresent(), RequestForm.MODE)
            | flag(change.owner().isPresent(), RequestForm.OWNER)
            | flag(change.createdNanos().isPresent(), RequestForm.CREATED)
            | flag(change.modifiedNanos().isPresent(), RequestForm.MODIFIED)
            | flag(change.expiry().isPresent(), RequestForm.EXPIRY)
            | flag(!change.attributes().isEmpty(), RequestForm.ATTRIBUTES));
    change.mode().ifPresent(mode -> number(Integer.toUnsignedLong(mode)));
    change.owner().ifPresent(this::number);
    change.createdNanos().ifPresent(this::number);
    change.modifiedNanos().ifPresent(this::number);
    change.expiry().ifPresent(this::expiry);
    if (!change.attributes().isEmpty()) {
      number(change.attributes().size());
      // By their names, however the caller's map is sorted.
      for (Map.Entry<String, byte[]> each :
          new TreeMap<>((Map<String, byte[]>) change.attributes()).entrySet()) {
        attribute(each.getKey(), each.getValue());
      }
    }
  }

  private void expiry(Expiry expiry) {
    switch (expiry) {
      case Expiry.Never _ -> one(RequestForm.NEVER);
      case Expiry.At(long nanos) -> {
        one(RequestForm.AT);
        number(nanos);
      }
      case Expiry.After(long nanos) -> {
        one(RequestForm.AFTER);
        number(nanos);
      }
    }
  }

  private static int flag(boolean is, int flag) {
    return is ? flag : 0;
  }
}
