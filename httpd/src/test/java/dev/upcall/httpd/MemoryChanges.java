package dev.upcall.httpd;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.MediaTypes;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Times;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The writing half of a {@link MemorySite}: every handle is counted, every step can fail. */
public final class MemoryChanges implements SiteChanges {
  private final MemorySite site;
  private final Consumer<Runnable> deliver;

  /** What the next steps fail with, or null. */
  @Nullable Failure putFailure;

  public @Nullable Failure deleteFailure;
  public @Nullable Failure editFailure;
  public BooleanSupplier appendFails = () -> false;
  public BooleanSupplier commitFails = () -> false;

  /** Whether appends are not completed now but by {@link #goOn}. */
  boolean parksAppends;

  private @Nullable Runnable parked;
  int open;
  int committed;
  int abandoned;

  MemoryChanges(MemorySite site, Consumer<Runnable> deliver) {
    this.site = site;
    this.deliver = deliver;
  }

  /** Whether an append waits. */
  boolean isParked() {
    return parked != null;
  }

  /** Completes the append that waits. */
  void goOn() {
    Runnable append = parked;
    Invariants.check(append != null, "no append waits");
    parked = null;
    deliver.accept(append);
  }

  @Override
  public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
    deliver.accept(() -> port.complete(begin(path.toString(), options)));
  }

  private Completion<PutHandle> begin(String path, PutOptions options) {
    Failure failure = putFailure != null ? putFailure : check(path, options);
    if (failure != null) {
      return Completion.failed(failure);
    }
    open++;
    return Completion.done(new Handle(path, options));
  }

  private @Nullable Failure check(String path, PutOptions options) {
    for (int at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      FileInfo way = site.info(path.substring(0, at));
      if (way != null && !way.isDirectory()) {
        return new Failure.NotADirectory(way.name());
      }
    }
    FileInfo found = site.info(path);
    if (found == null) {
      return options.condition().existence() == Existence.MUST_EXIST
          ? new Failure.NotFound(path)
          : options.condition().anyOf().isEmpty() ? null : mismatch(path);
    }
    if (found.isDirectory()) {
      return new Failure.IsADirectory(path);
    }
    if (options.condition().existence() == Existence.MUST_NOT_EXIST) {
      return new Failure.AlreadyExists(path);
    }
    return holds(options.condition(), found) ? null : mismatch(path);
  }

  private static Failure mismatch(String path) {
    return new Failure.VersionMismatch(path, "another", "this one");
  }

  private static boolean holds(FileCondition condition, FileInfo found) {
    FileVersion version = found.fileVersion();
    return condition.anyOf().map(versions -> versions.contains(version)).orElse(true)
        && !condition.noneOf().contains(version)
        && found.times().contentChangedNanos()
            <= condition.unmodifiedSinceNanos().orElse(Long.MAX_VALUE);
  }

  @Override
  public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
    deliver.accept(() -> port.complete(delete(path.toString(), condition)));
  }

  private Completion<Unit> delete(String path, FileCondition condition) {
    FileInfo found = site.info(path);
    if (deleteFailure != null) {
      return Completion.failed(deleteFailure);
    }
    if (found == null) {
      return Completion.failed(new Failure.NotFound(path));
    }
    if (condition.directory() && !found.isDirectory()) {
      return Completion.failed(new Failure.NotADirectory(path));
    }
    if (!holds(condition, found)) {
      return Completion.failed(mismatch(path));
    }
    if (found.isDirectory() && site.hasEntries(path)) {
      return Completion.failed(new Failure.DirectoryNotEmpty(path));
    }
    site.remove(path);
    return Completion.done();
  }

  @Override
  public void look(StorePath path, CompletionPort<FileInfo> port) {
    deliver.accept(
        () -> {
          FileInfo found = site.info(path.toString());
          port.complete(
              found == null
                  ? Completion.failed(new Failure.NotFound(path.toString()))
                  : Completion.done(found));
        });
  }

  @Override
  public void place(StorePath path, CompletionPort<Resolved> port) {
    site.resolve(path, LinkPolicy.FOLLOW, port);
  }

  @Override
  public void batch(
      List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port) {
    deliver.accept(
        () ->
            port.complete(
                editFailure == null
                    ? site.atomically(() -> all(requests))
                    : Completion.failed(editFailure)));
  }

  private Completion<FileInfo> all(List<FileRequest> requests) {
    Completion<FileInfo> last = Completion.failed(NO_EDITS);
    for (FileRequest request : requests) {
      last =
          switch (request) {
            case FileRequest.Put put -> whole(put);
            case FileRequest.Splice splice -> spliced(splice);
            case FileRequest.CopyRange copy -> copied(copy);
            case FileRequest.Delete delete -> deleted(delete);
            case FileRequest.SetMetadata set -> set(set);
            case FileRequest.Rename rename -> renamed(rename);
            case FileRequest.CreateDirectory made -> directory(made.path().toString());
            default -> throw new IllegalStateException(request.purpose());
          };
      if (last instanceof Completion.Failed<FileInfo>) {
        return last;
      }
    }
    return last;
  }

  private Completion<FileInfo> directory(String path) {
    FileInfo found = site.info(path);
    return found != null && !found.isDirectory()
        ? Completion.failed(new Failure.AlreadyExists(path))
        : Completion.done(found == null ? site.directory(path) : found);
  }

  private Completion<FileInfo> whole(FileRequest.Put put) {
    String path = put.path().toString();
    Failure failure = check(path, put.options());
    if (failure != null) {
      return Completion.failed(failure);
    }
    byte[] bytes = ((FileContent.Bytes) put.content()).bytes();
    return Completion.done(
        changed(path, site.store(path, bytes, ""), put.options().metadata(), /* grows= */ 0));
  }

  private Completion<FileInfo> spliced(FileRequest.Splice splice) {
    String path = splice.path().toString();
    FileInfo found = site.info(path);
    if (found == null || !holds(splice.condition(), found)) {
      return Completion.failed(mismatch(path));
    }
    byte[] content = site.content(path);
    int behind = (int) (splice.offset() + splice.removed());
    if (splice.offset() > content.length || behind > content.length) {
      return Completion.failed(
          new Failure.Invalid("no range of a file which has " + content.length));
    }
    ByteArrayOutputStream next = new ByteArrayOutputStream();
    next.write(content, 0, (int) splice.offset());
    next.writeBytes(splice.bytes());
    next.write(content, behind, content.length - behind);
    return Completion.done(site.store(path, next.toByteArray(), found.mediaType()));
  }

  private Completion<FileInfo> copied(FileRequest.CopyRange copy) {
    byte[] source = site.content(copy.from().path().toString());
    int begin = (int) copy.from().offset();
    byte[] range = Arrays.copyOfRange(source, begin, begin + (int) copy.from().bytes());
    return spliced(new FileRequest.Splice(copy.to(), copy.offset(), 0, range, copy.target()));
  }

  private Completion<FileInfo> deleted(FileRequest.Delete delete) {
    String path = delete.path().toString();
    FileInfo before = site.info(path);
    return delete(path, delete.condition()).map(_ -> before);
  }

  private Completion<FileInfo> set(FileRequest.SetMetadata set) {
    String path = set.path().toString();
    FileInfo found = site.info(path);
    if (found == null) {
      return Completion.failed(new Failure.NotFound(path));
    }
    return holds(set.condition(), found)
        ? Completion.done(changed(path, found, set.change(), /* grows= */ 1))
        : Completion.failed(mismatch(path));
  }

  private FileInfo changed(String path, FileInfo file, MetadataChange change, int grows) {
    SortedMap<String, byte[]> attributes = new TreeMap<>(file.attributes());
    attributes.putAll(change.attributes());
    attributes.values().removeIf(value -> value.length == 0);
    byte[] type = attributes.get(MediaTypes.ATTRIBUTE);
    long modified = change.modifiedNanos().orElse(file.times().modifiedNanos());
    return site.change(
        path,
        new FileInfo(
            file.id(),
            file.name(),
            file.kind(),
            file.sizeBytes(),
            new Times(0, modified, modified),
            file.mode(),
            file.owner(),
            file.links(),
            file.version() + grows,
            type == null
                ? MediaTypes.ofName(file.name())
                : new String(type, StandardCharsets.US_ASCII),
            attributes,
            FileInfo.Stored.NONE));
  }

  private Completion<FileInfo> renamed(FileRequest.Rename rename) {
    String from = rename.from().toString();
    String to = rename.to().toString();
    if (site.info(from) == null) {
      return Completion.failed(new Failure.NotFound(from));
    }
    Failure failure =
        check(
            to,
            new PutOptions(
                rename.target(), Parents.MUST_EXIST, LinkPolicy.NO_FOLLOW, MetadataChange.NONE));
    return failure == null ? Completion.done(site.move(from, to)) : Completion.failed(failure);
  }

  private final class Handle implements PutHandle {
    private final String path;
    private final PutOptions options;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean busy;
    private boolean over;

    private Handle(String path, PutOptions options) {
      this.path = path;
      this.options = options;
    }

    @Override
    public void append(ByteBuffer more, CompletionPort<Unit> port) {
      Invariants.check(!busy && !over, "one request at a time", path);
      busy = true;
      Runnable append =
          () -> {
            busy = false;
            if (over) {
              port.complete(Completion.failed(new Failure.Cancelled("append")));
            } else if (appendFails.getAsBoolean()) {
              port.complete(Completion.failed(MemorySite.BROKEN));
            } else {
              byte[] copy = new byte[more.remaining()];
              more.get(copy);
              bytes.writeBytes(copy);
              port.complete(Completion.done());
            }
          };
      if (parksAppends) {
        parked = append;
      } else {
        deliver.accept(append);
      }
    }

    @Override
    public long sizeBytes() {
      return bytes.size();
    }

    @Override
    public void commit(Durability asked, CompletionPort<FileInfo> port) {
      Invariants.check(!busy && !over, "committed once, behind the last append", path);
      end();
      deliver.accept(() -> port.complete(commit()));
    }

    private Completion<FileInfo> commit() {
      Failure failure = commitFails.getAsBoolean() ? MemorySite.BROKEN : check(path, options);
      if (failure != null) {
        return Completion.failed(failure);
      }
      committed++;
      byte[] type = options.metadata().attributes().get(MediaTypes.ATTRIBUTE);
      String mediaType =
          type == null || type.length == 0
              ? MediaTypes.ofName(path.substring(path.lastIndexOf('/') + 1))
              : new String(type, StandardCharsets.US_ASCII);
      return Completion.done(site.store(path, bytes.toByteArray(), mediaType));
    }

    @Override
    public void abandon() {
      if (!over) {
        abandoned++;
        end();
        if (parked != null) {
          goOn(); // an append that waits is cancelled
        }
      }
    }

    private void end() {
      over = true;
      open--;
    }
  }
}
