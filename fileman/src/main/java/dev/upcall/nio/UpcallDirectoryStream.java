package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.channel.OpenOptions;
import dev.upcall.nio.content.OpenFiles;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open directory: its entries, read by pages, and calls that begin there. It is known by its id,
 * so that all of this is about the same directory, whatever is done to its path meanwhile; when it
 * is deleted, its entries end and the calls find nothing.
 *
 * <p>What is there all the time comes exactly once; what comes or goes meanwhile may come or not.
 * Entries are one thread's at a time; the calls, and closing, any thread's.
 */
final class UpcallDirectoryStream implements SecureDirectoryStream<Path> {
  private static final int PAGE_NAMES = 512;
  private static final Filter<Path> ALL = _ -> true;

  private final UpcallFileSystem system;
  private final UpcallPath directory;
  private final FileInfo opened;
  private final Filter<? super Path> filter;
  private final Lookups inside;
  private final Deque<String> ahead = new ArrayDeque<>();
  private @Nullable String last;
  private boolean more = true;
  private boolean taken;
  private volatile boolean closed;

  /** What it says of itself to its file system when it closes. */
  private volatile @Nullable Reference<?> held;

  /**
   * How a directory is opened.
   *
   * @param follows whether a link to it is followed
   * @param filter which of its entries come
   */
  record Choice(boolean follows, Filter<? super Path> filter) {}

  /**
   * Opens a directory.
   *
   * @param file it
   * @param shown what its entries are shown below
   * @throws NotDirectoryException if it is something else
   */
  static UpcallDirectoryStream open(Located file, UpcallPath shown, Choice choice)
      throws IOException {
    file.check();
    try {
      FileInfo there = file.stat(Links.policy(choice.follows()));
      if (there.isSymbolicLink()) {
        throw UpcallException.of(new Failure.LinkLoop(file.path().toString()));
      }
      if (!there.isDirectory()) {
        throw UpcallException.of(new Failure.NotADirectory(file.path().toString()));
      }
      UpcallDirectoryStream stream = new UpcallDirectoryStream(shown, there, choice.filter());
      stream.nextPage();
      return shown.system().opened(stream, () -> {}, reference -> stream.held = reference);
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotADirectory) {
        throw new NotDirectoryException(file.path().toString());
      }
      throw Failures.exception(failed, file.path().toString(), null);
    }
  }

  private UpcallDirectoryStream(
      UpcallPath directory, FileInfo opened, Filter<? super Path> filter) {
    this.system = directory.system();
    this.directory = directory;
    this.opened = opened;
    this.filter = filter;
    this.inside = new Lookups(system.changes().store(), opened.id(), this::check);
  }

  // ------------------------------------------------------------------ entries

  private void nextPage() {
    Listing.Range range =
        new Listing.Range(Optional.ofNullable(last), Listing.Direction.ASCENDING, PAGE_NAMES);
    Listing.Names page;
    try {
      page = system.changes().store().names(itself(), range);
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.NotFound) {
        more = false; // it was deleted
        return;
      }
      throw failed;
    }
    for (String name : page.names()) {
      if (opened.id() != FileManager.ROOT_ID || !OpenFiles.isHiddenName(name)) {
        ahead.add(name);
      }
      last = name;
    }
    more = page.hasMore();
  }

  private StorePath itself() {
    return UpcallException.value(StorePath.parse(opened.id(), ""));
  }

  @Override
  public Iterator<Path> iterator() {
    system.check();
    if (closed) {
      throw new IllegalStateException("the directory stream of " + directory + " is closed");
    }
    if (taken) {
      throw new IllegalStateException("a directory stream has one iterator: " + directory);
    }
    taken = true;
    return new Entries();
  }

  @Override
  public void close() {
    closed = true;
    system.closed(held);
  }

  private final class Entries implements Iterator<Path> {
    private @Nullable Path next;

    /** When the file system closes they do not end as if that were all. */
    @Override
    public boolean hasNext() {
      if (next == null) {
        system.check();
      }
      while (next == null && !closed && find()) {
        Path found = directory.resolve(system.getPath(ahead.removeFirst()));
        next = accepts(found) ? found : null;
      }
      return next != null;
    }

    @Override
    public Path next() {
      Path found = hasNext() ? next : null;
      if (found == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return found;
    }
  }

  private boolean find() {
    try {
      while (ahead.isEmpty() && more) {
        nextPage();
      }
      return !ahead.isEmpty();
    } catch (UpcallException failed) {
      throw new DirectoryIteratorException(Failures.exception(failed, directory.toString(), null));
    }
  }

  private boolean accepts(Path path) {
    try {
      return filter.accept(path);
    } catch (IOException failed) {
      throw new DirectoryIteratorException(failed);
    }
  }

  // ------------------------------------------------------------------ calls that begin here

  private void check() {
    system.check();
    if (closed) {
      throw new ClosedDirectoryStreamException();
    }
  }

  private Located in(Path path) {
    UpcallPath ours = UpcallPath.of(path);
    if (ours.system() != system) {
      throw new ProviderMismatchException(path + " is of another file system than " + directory);
    }
    return new Located(inside, ours);
  }

  @Override
  public SecureDirectoryStream<Path> newDirectoryStream(Path path, LinkOption... options)
      throws IOException {
    Located file = in(path);
    UpcallPath shown = UpcallPath.of(directory.resolve(file.path()));
    return open(file, shown, new Choice(Links.follows(options), ALL));
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return new Opener(in(path), OpenOptions.of(options), attributes).open();
  }

  @Override
  public void deleteFile(Path path) throws IOException {
    in(path).deleteFile();
  }

  @Override
  public void deleteDirectory(Path path) throws IOException {
    in(path).deleteDirectory();
  }

  /** As {@code rename} does it: what is under the target gives way, in the same step. */
  @Override
  public void move(Path source, SecureDirectoryStream<Path> targetDirectory, Path target)
      throws IOException {
    Located from = in(source);
    UpcallPath to = UpcallPath.of(target);
    if (!(Objects.requireNonNull(targetDirectory, "targetdir")
        instanceof UpcallDirectoryStream it)) {
      throw new ProviderMismatchException("not an open directory of an Upcall store");
    }
    new Copier(from, it.in(to), CopyOptions.ofMove(StandardCopyOption.ATOMIC_MOVE)).move();
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(Class<V> type) {
    return getFileAttributeView(system.getPath("."), type);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Located file = in(path);
    boolean follows = Links.follows(options);
    return UpcallPosixView.of(file, Objects.requireNonNull(type, "type"), follows);
  }
}
