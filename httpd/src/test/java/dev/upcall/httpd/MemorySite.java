package dev.upcall.httpd;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MediaTypes;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.Times;
import dev.upcall.io.IoClass;
import dev.upcall.request.Resolved;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Files without a store: every slice and version is counted, so that a leak or a second release
 * fails the test, and every request can be made slow or made to fail.
 */
public final class MemorySite implements Site {
  /** A failure that no store has otherwise. */
  static final Failure BROKEN = new Failure.Device("read", "made to fail");

  private final Consumer<Runnable> deliver;

  /** The writing half. */
  public final MemoryChanges changes;

  private final NavigableMap<String, FileInfo> infos = new TreeMap<>();
  private final NavigableMap<String, ByteBuffer> contents = new TreeMap<>();
  private final NavigableMap<String, String> links = new TreeMap<>();
  private final NavigableMap<String, Integer> crowds = new TreeMap<>();
  private long lastId = 1;

  /** When the first file after the root was modified, less two; others follow second by second. */
  long modifiedSeconds = 784_111_777; // 1994-11-06 08:49:37

  /** When files are changed at the latest, whatever their time of modification is set to. */
  long changedSecondsMost = Long.MAX_VALUE / 1_000_000_000L;

  /** Whether the content at an offset is in memory. */
  public LongPredicate resident = offset -> true;

  /** Whether opening a path fails. */
  public Predicate<String> openFails = path -> false;

  /** How it fails then. */
  public Failure openFailure = BROKEN;

  /** Whether reading at an offset fails; asked only where content is not resident. */
  public LongPredicate readFails = offset -> false;

  /** Whether listing after a name (empty: from the beginning) fails. */
  public Predicate<String> listFails = after -> false;

  /** Names of entries of which nothing else can be read. */
  public final Set<String> unreadable = new TreeSet<>();

  /** See {@link Site#mostBytesAtOnce}. */
  public int mostBytesAtOnce = HttpConfig.SLICE_BYTES;

  /** How often content was asked for at once, whether in memory or not. */
  public int asked;

  int opened;
  int closed;
  public long leasedBytes;
  public long leasedBytesMost;

  /**
   * An empty root.
   *
   * @param deliver brings completions to their ports, later
   */
  public MemorySite(Consumer<Runnable> deliver) {
    this.deliver = deliver;
    this.changes = new MemoryChanges(this, deliver);
    directory("/");
  }

  public FileInfo directory(String path) {
    return put(path, Kind.DIRECTORY, 0, "");
  }

  /** A link, as a directory shows it; it can be looked up and not opened. */
  public FileInfo link(String path, String target) {
    links.put(path, target);
    return put(path, Kind.SYMBOLIC_LINK, 1, "");
  }

  /** A directory of empty files n0000000, n0000001, ..., which are made when they are listed. */
  void crowd(String path, int entries) {
    directory(path);
    crowds.put(path, entries);
  }

  private Listing listCrowd(FileInfo directory, int size, String after, int limit) {
    int from = after.isEmpty() ? 0 : Integer.parseInt(after.substring(1)) + 1;
    List<FileInfo> entries = new ArrayList<>();
    for (int i = from; i < Math.min(from + limit, size); i++) {
      String name = String.format(Locale.ROOT, "n%07d", i);
      entries.add(info(name, Kind.FILE, 0, MediaTypes.ofName(name)));
    }
    return new Listing(
        directory,
        entries,
        Optional.of(entries).filter(_ -> from + limit < size).map(all -> all.getLast().name()));
  }

  public FileInfo file(String path, String text) {
    return file(path, text.getBytes(StandardCharsets.UTF_8));
  }

  public FileInfo file(String path, byte[] bytes) {
    contents.put(path, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    return put(path, Kind.FILE, bytes.length, MediaTypes.ofName(lastName(path)));
  }

  /** An empty file whose type somebody has named. */
  public FileInfo typed(String path, String mediaType) {
    FileInfo typed = file(path, "").withMediaType(mediaType);
    infos.put(path, typed);
    return typed;
  }

  /** What is there, or null. */
  public @Nullable FileInfo info(String path) {
    return infos.get(path);
  }

  /** The content of a file. */
  public byte[] content(String path) {
    ByteBuffer bytes = contents.get(path).duplicate();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  boolean hasEntries(String directory) {
    String next = infos.higherKey(directory + "/");
    return next != null && next.startsWith(directory + "/");
  }

  void remove(String path) {
    infos.remove(path);
    contents.remove(path);
  }

  /** All that something does, or nothing if it fails. */
  <T> Completion<T> atomically(Supplier<Completion<T>> change) {
    Map<String, FileInfo> infosBefore = new TreeMap<>(infos);
    Map<String, ByteBuffer> contentsBefore = new TreeMap<>(contents);
    Completion<T> done = change.get();
    if (done instanceof Completion.Failed<T>) {
      infos.clear();
      infos.putAll(infosBefore);
      contents.clear();
      contents.putAll(contentsBefore);
    }
    return done;
  }

  /** A file with other metadata. */
  FileInfo change(String path, FileInfo changed) {
    infos.put(path, changed);
    return changed;
  }

  /** Moves a file. */
  FileInfo move(String from, String to) {
    FileInfo info = infos.remove(from);
    contents.put(to, contents.remove(from));
    FileInfo moved =
        new FileInfo(
            info.id(),
            lastName(to),
            info.kind(),
            info.sizeBytes(),
            info.times(),
            info.mode(),
            info.owner(),
            info.links(),
            info.version() + 1,
            info.mediaType(),
            info.attributes(),
            info.stored());
    infos.put(to, moved);
    return moved;
  }

  /** Makes or replaces a file, as the store does: one that is replaced keeps its id. */
  FileInfo store(String path, byte[] bytes, String mediaType) {
    for (int at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      if (infos.get(path.substring(0, at)) == null) {
        directory(path.substring(0, at));
      }
    }
    FileInfo before = infos.get(path);
    contents.put(path, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    FileInfo made = put(path, Kind.FILE, bytes.length, mediaType);
    if (before == null) {
      return made;
    }
    FileInfo replaced =
        new FileInfo(
            before.id(),
            made.name(),
            made.kind(),
            made.sizeBytes(),
            made.times(),
            made.mode(),
            made.owner(),
            made.links(),
            before.version() + 1,
            mediaType,
            before.attributes(),
            FileInfo.Stored.NONE);
    infos.put(path, replaced);
    return replaced;
  }

  @Override
  public Optional<SiteChanges> changes() {
    return Optional.of(changes);
  }

  /** Nothing is held. */
  void checkNothingHeld() {
    Invariants.check(changes.open == 0, "uploads still open", changes.open);
    Invariants.check(opened == closed, "versions opened and closed", opened, closed);
    Invariants.check(leasedBytes == 0, "bytes still leased", leasedBytes);
  }

  private FileInfo put(String path, Kind kind, long size, String mediaType) {
    FileInfo info = info(lastName(path), kind, size, mediaType);
    infos.put(path, info);
    return info;
  }

  private FileInfo info(String name, Kind kind, long size, String mediaType) {
    long modified = (modifiedSeconds + lastId) * 1_000_000_000L;
    return new FileInfo(
        ++lastId,
        name,
        kind,
        size,
        new Times(0, modified, Math.min(modified, changedSecondsMost * 1_000_000_000L)),
        0644,
        0,
        1,
        1,
        mediaType,
        Collections.emptySortedMap(),
        FileInfo.Stored.NONE);
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  @Override
  public int mostBytesAtOnce() {
    return mostBytesAtOnce;
  }

  @Override
  public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
    deliver.accept(() -> port.complete(open(path.toString())));
  }

  private Completion<OpenFile> open(String path) {
    if (openFails.test(path)) {
      return Completion.failed(openFailure);
    }
    FileInfo info = infos.get(path);
    if (info == null) {
      return Completion.failed(new Failure.NotFound(path));
    }
    if (info.isDirectory()) {
      return Completion.done(new OpenFile(info, null));
    }
    opened++;
    return Completion.done(new OpenFile(info, new Content(info, contents.get(path))));
  }

  @Override
  public void resolve(StorePath path, LinkPolicy policy, CompletionPort<Resolved> port) {
    String target = links.get(path.toString());
    String end = target == null || policy == LinkPolicy.NO_FOLLOW ? path.toString() : target;
    List<StorePath> led = end.equals(path.toString()) ? List.of() : List.of(StorePath.of(end));
    deliver.accept(
        () ->
            port.complete(
                Completion.done(
                    new Resolved(Optional.ofNullable(infos.get(end)), led, StorePath.of(end)))));
  }

  @Override
  public void follow(StorePath link, CompletionPort<LinkTarget> port) {
    String target = links.get(link.toString());
    deliver.accept(
        () ->
            port.complete(
                target == null
                    ? Completion.failed(new Failure.NotFound(link.toString()))
                    : Completion.done(
                        new LinkTarget(target, Optional.ofNullable(infos.get(target))))));
  }

  @Override
  public void list(StorePath directory, String after, int limit, CompletionPort<SitePage> port) {
    deliver.accept(
        () -> port.complete(list(directory.toString(), after, limit).map(this::withUnreadable)));
  }

  private SitePage withUnreadable(Listing page) {
    List<SitePage.Entry> entries = new ArrayList<>();
    for (FileInfo info : page.entries()) {
      boolean isLost = unreadable.contains(info.name());
      entries.add(new SitePage.Entry(info.name(), Optional.of(info).filter(_ -> !isLost)));
    }
    return new SitePage(entries, page.nextAfter());
  }

  @Override
  public void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port) {
    deliver.accept(() -> port.complete(names(directory.toString(), range)));
  }

  private Completion<Listing.Names> names(String path, Listing.Range range) {
    boolean down = range.direction() == Listing.Direction.DESCENDING;
    Integer crowd = crowds.get(path);
    if (crowd != null) {
      return Completion.done(namesOfCrowd(crowd, range, down));
    }
    return list(path, "", Integer.MAX_VALUE)
        .map(
            all -> {
              List<String> names = new ArrayList<>();
              List<FileInfo> entries = down ? all.entries().reversed() : all.entries();
              for (FileInfo entry : entries) {
                int order = range.beyond().map(entry.name()::compareTo).orElse(1);
                if (down && range.beyond().isPresent() ? order < 0 : order > 0) {
                  if (names.size() == range.limit()) {
                    return new Listing.Names(names, true);
                  }
                  names.add(entry.name());
                }
              }
              return new Listing.Names(names, false);
            });
  }

  private static Listing.Names namesOfCrowd(int size, Listing.Range range, boolean down) {
    int step = down ? -1 : 1;
    int from = down ? size - 1 : 0;
    from = range.beyond().map(name -> Integer.parseInt(name.substring(1)) + step).orElse(from);
    List<String> names = new ArrayList<>();
    int at = from;
    for (; at >= 0 && at < size && names.size() < range.limit(); at += step) {
      names.add(String.format(Locale.ROOT, "n%07d", at));
    }
    return new Listing.Names(names, at >= 0 && at < size);
  }

  private Completion<Listing> list(String path, String after, int limit) {
    FileInfo info = infos.get(path);
    if (listFails.test(after)) {
      return Completion.failed(BROKEN);
    }
    if (info == null) {
      return Completion.failed(new Failure.NotFound(path));
    }
    if (!info.isDirectory()) {
      return Completion.failed(new Failure.NotADirectory(path));
    }
    Integer crowd = crowds.get(path);
    if (crowd != null) {
      return Completion.done(listCrowd(info, crowd, after, limit));
    }
    String prefix = path.equals("/") ? "/" : path + "/";
    List<FileInfo> entries = new ArrayList<>();
    for (var entry : infos.tailMap(prefix + after, false).entrySet()) {
      if (!entry.getKey().startsWith(prefix)) {
        break;
      }
      if (entry.getKey().indexOf('/', prefix.length()) < 0) {
        if (entries.size() == limit) {
          return Completion.done(new Listing(info, entries, Optional.of(entries.getLast().name())));
        }
        entries.add(entry.getValue());
      }
    }
    return Completion.done(new Listing(info, entries, Optional.empty()));
  }

  private final class Content implements PinnedContent {
    private final FileInfo info;
    private final ByteBuffer bytes;
    private boolean isClosed;

    private Content(FileInfo info, ByteBuffer bytes) {
      this.info = info;
      this.bytes = bytes;
    }

    @Override
    public Inode inode() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void read(
        long offset, int maxBytes, IoClass ioClass, CompletionPort<ContentSlice> port) {
      Invariants.check(!isClosed, "read after close");
      int toBorder = (int) (HttpConfig.SLICE_BYTES - offset % HttpConfig.SLICE_BYTES);
      deliver.accept(
          () -> {
            Invariants.check(!isClosed, "closed while reading");
            port.complete(
                readFails.test(offset)
                    ? Completion.failed(BROKEN)
                    : Completion.done(new Slice(cut(offset, Math.min(maxBytes, toBorder)))));
          });
    }

    @Override
    public @Nullable ContentSlice tryRead(long offset, int maxBytes) {
      Invariants.check(!isClosed, "read after close");
      asked++;
      return resident.test(offset) ? new Slice(cut(offset, maxBytes)) : null;
    }

    private List<ByteBuffer> cut(long offset, int maxBytes) {
      int size = (int) Math.min(maxBytes, info.sizeBytes() - offset);
      List<ByteBuffer> pieces = new ArrayList<>();
      for (int at = 0; at < size; at += 4096) {
        pieces.add(bytes.slice((int) offset + at, Math.min(4096, size - at)));
      }
      return pieces;
    }

    @Override
    public void close() {
      Invariants.check(!isClosed, "closed twice");
      isClosed = true;
      closed++;
    }
  }

  private final class Slice implements ContentSlice {
    private final List<ByteBuffer> buffers;
    private final int size;
    private boolean released;

    private Slice(List<ByteBuffer> buffers) {
      this.buffers = buffers;
      this.size = buffers.stream().mapToInt(ByteBuffer::remaining).sum();
      leasedBytes += size;
      leasedBytesMost = Math.max(leasedBytesMost, leasedBytes);
    }

    @Override
    public List<ByteBuffer> buffers() {
      Invariants.check(!released, "used after release");
      return buffers;
    }

    @Override
    public int sizeBytes() {
      return size;
    }

    @Override
    public void release() {
      Invariants.check(!released, "released twice");
      released = true;
      leasedBytes -= size;
    }
  }
}
