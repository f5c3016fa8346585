package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.channel.StillOpen;
import dev.upcall.nio.content.Changes;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.nio.watch.Directories;
import dev.upcall.nio.watch.StoreWatchService;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.URI;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store, or a snapshot of one, as a file system; {@code docs/nio.md} says what holds. Any
 * threads.
 */
public final class UpcallFileSystem extends FileSystem {
  /** The names of the attribute views. */
  static final Set<String> VIEWS =
      Collections.unmodifiableSet(new LinkedHashSet<>(List.of("basic", "owner", "posix", "user")));

  private final UpcallFileSystemProvider provider;
  private final Mount mount;
  private final long number;
  private final Lookups lookups;
  private final UpcallPath root;
  private final StillOpen open = new StillOpen();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile @Nullable Runnable afterwards;

  UpcallFileSystem(UpcallFileSystemProvider provider, Mount mount) {
    this.provider = provider;
    this.mount = mount;
    this.number = provider.mounts().nextNumber();
    this.lookups = new Lookups(mount.changes().store(), FileManager.ROOT_ID, this::check);
    this.root = UpcallPath.parse(this, "/");
  }

  // ------------------------------------------------------------------ life

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  /** Where it is mounted: what its URIs begin with. */
  Mount mount() {
    return mount;
  }

  /** Which of all that were made it is: equal paths of two have this order. */
  long number() {
    return number;
  }

  /** Runs something when it is closed: a store that was opened for it closes with it. */
  void closeWith(Runnable next) {
    afterwards = next;
  }

  /** Refuses when it is closed. */
  void check() {
    if (closed.get()) {
      throw new ClosedFileSystemException();
    }
  }

  /**
   * A channel, directory stream or watch service is open: it closes with this.
   *
   * @param forgotten gives back what it has, should the program forget it; does not lead to it
   * @param heldAs told what it shall say of itself when it is {@link #closed}
   */
  <C extends Closeable> C opened(C opened, StillOpen.End forgotten, Consumer<Reference<?>> heldAs)
      throws IOException {
    Reference<?> held = open.add(opened, forgotten);
    heldAs.accept(held);
    if (closed.get()) {
      opened.close();
      open.remove(held);
      throw new ClosedFileSystemException();
    }
    return opened;
  }

  /** What was {@link #opened} is closed. */
  void closed(@Nullable Reference<?> heldAs) {
    open.remove(heldAs);
  }

  @Override
  public void close() throws IOException {
    if (closed.getAndSet(true)) {
      return;
    }
    provider.forget(this);
    List<IOException> failures = new ArrayList<>();
    open.closeAll(still -> close(still, failures));
    Runnable next = afterwards;
    if (next != null) {
      next.run();
    }
    if (!failures.isEmpty()) {
      throw failures.getLast();
    }
  }

  private static void close(Closeable still, List<IOException> failures) {
    try {
      still.close();
    } catch (IOException failed) {
      failures.add(failed);
    } catch (DispatcherStoppedException died) { // what the channel had collected is lost
      failures.add(new IOException(died.getMessage(), died));
    }
  }

  @Override
  public boolean isOpen() {
    return !closed.get();
  }

  @Override
  public boolean isReadOnly() {
    return mount.changes().isReadOnly();
  }

  // ------------------------------------------------------------------ paths

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(root);
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of(fileStore());
  }

  /** Sizes of the volume. */
  FileStore fileStore() {
    return new UpcallFileStore(mount.volume(), isReadOnly(), mount.info());
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return VIEWS;
  }

  @Override
  public UpcallPath getPath(String first, String... more) {
    if (more.length == 0) {
      return UpcallPath.parse(this, first);
    }
    StringBuilder joined = new StringBuilder(first);
    for (String next : more) {
      if (!next.isEmpty()) {
        joined.append(joined.isEmpty() ? "" : "/").append(next);
      }
    }
    return UpcallPath.parse(this, joined.toString());
  }

  /**
   * The host's, which match the text of a path, of whichever file system it is. They are not given
   * a path of the host: not each name of a store can be one, where the locale has few characters.
   */
  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    return FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return new Principals();
  }

  @Override
  public WatchService newWatchService() throws IOException {
    check();
    Directories directories = changes().directories();
    if (directories == null) {
      throw new UnsupportedOperationException("nothing changes in a snapshot");
    }
    AtomicReference<@Nullable Reference<?>> held = new AtomicReference<>();
    StoreWatchService service =
        new StoreWatchService(
            directories,
            (directory, name) -> directory == FileManager.ROOT_ID && OpenFiles.isHiddenName(name),
            _ -> closed(held.get()));
    // Its keys see for themselves that nobody has them any more.
    return opened(service, () -> {}, held::set);
  }

  /** See {@link Path#register}. */
  WatchKey register(UpcallPath path, StoreWatchService service, Set<WatchEvent.Kind<?>> kinds)
      throws IOException {
    FileInfo there = at(path).look(/* follows= */ true);
    if (!there.isDirectory()) {
      throw new NotDirectoryException(path.toString());
    }
    return Failures.of(path, () -> service.register(there.id(), path, kinds));
  }

  URI uriOf(String absolute) {
    return mount.uri().of(absolute);
  }

  // ------------------------------------------------------------------ looks and changes

  Lookups lookups() {
    return lookups;
  }

  /** What can be changed, and how. */
  Changes changes() {
    return mount.changes();
  }

  /** A path of this, as the program's calls that name no directory see it. */
  Located at(UpcallPath path) {
    return new Located(lookups, path);
  }

  @Override
  public String toString() {
    return mount.uri().of("/").toString();
  }
}
