package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.channel.OpenOptions;
import dev.upcall.nio.channel.UpcallAsynchronousChannel;
import dev.upcall.nio.channel.UpcallFileChannel;
import dev.upcall.nio.content.Changes;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores as file systems, under URIs of scheme {@code upcall}; the JDK finds it by itself. What
 * each operation does, its exceptions and what is durable when: {@code docs/nio.md}. Any threads.
 */
public final class UpcallFileSystemProvider extends FileSystemProvider {
  /** How a stream is opened that writes, where nothing is said. */
  private static final List<OpenOption> NEW_CONTENT =
      List.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);

  private final Mounts mounts = new Mounts();

  /** For the JDK, which makes one. */
  public UpcallFileSystemProvider() {}

  /** The one that the JDK has made, or one of its own where it did not find it. */
  static UpcallFileSystemProvider installed() {
    return FileSystemProvider.installedProviders().stream()
        .filter(UpcallFileSystemProvider.class::isInstance)
        .map(UpcallFileSystemProvider.class::cast)
        .findFirst()
        .orElseGet(UpcallFileSystemProvider::new);
  }

  /** The file systems that are open. */
  Mounts mounts() {
    return mounts;
  }

  /** One is closed. */
  void forget(UpcallFileSystem system) {
    mounts.remove(system);
  }

  @Override
  public String getScheme() {
    return MountUri.SCHEME;
  }

  // ------------------------------------------------------------------ file systems

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
    MountUri mount = MountUri.parse(uri).mount();
    return Mounting.of(mount, environment).mount(this);
  }

  @Override
  public FileSystem newFileSystem(Path volume, Map<String, ?> environment) throws IOException {
    return Mounting.of(volume, environment).mount(this);
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return mounts.get(MountUri.parse(uri).mount());
  }

  @Override
  public Path getPath(URI uri) {
    MountUri.Parsed parsed = MountUri.parse(uri);
    return mounts.get(parsed.mount()).getPath(parsed.inside());
  }

  // ------------------------------------------------------------------ content

  private static UpcallFileSystem system(Path path) {
    UpcallFileSystem system = UpcallPath.of(path).system();
    system.check();
    return system;
  }

  private static Located located(Path path) {
    UpcallPath ours = UpcallPath.of(path);
    return ours.system().at(ours);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    UpcallFileChannel channel = newFileChannel(path, options, attributes);
    // So Files.readAllBytes and readString ask, which interrupts do not end.
    return options.isEmpty() ? channel.uninterruptible() : channel;
  }

  @Override
  public UpcallFileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    UpcallPath ours = UpcallPath.of(path);
    return new Opener(ours.system().at(ours), OpenOptions.of(options), attributes).open();
  }

  /** Interrupts do not close it, as the contract of streams has it. */
  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    for (OpenOption option : options) {
      if (option == StandardOpenOption.APPEND || option == StandardOpenOption.WRITE) {
        throw new UnsupportedOperationException("'" + option + "' not allowed");
      }
    }
    Set<OpenOption> all = new LinkedHashSet<>(List.of(options));
    return Channels.newInputStream(newFileChannel(path, all).uninterruptible());
  }

  /** As {@link #newInputStream}. */
  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    Set<OpenOption> all = new LinkedHashSet<>(options.length == 0 ? NEW_CONTENT : List.of(options));
    if (all.contains(StandardOpenOption.READ)) {
      throw new IllegalArgumentException("READ not allowed");
    }
    all.add(StandardOpenOption.WRITE);
    return Channels.newOutputStream(newFileChannel(path, all).uninterruptible());
  }

  @Override
  public AsynchronousFileChannel newAsynchronousFileChannel(
      Path path,
      Set<? extends OpenOption> options,
      @Nullable ExecutorService executor,
      FileAttribute<?>... attributes)
      throws IOException {
    OpenOptions parsed = OpenOptions.ofAsynchronous(options);
    UpcallPath ours = UpcallPath.of(path);
    UpcallFileChannel channel = new Opener(ours.system().at(ours), parsed, attributes).open();
    return new UpcallAsynchronousChannel(channel, parsed.access(), executor);
  }

  // ------------------------------------------------------------------ directories

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
    Objects.requireNonNull(filter, "filter");
    UpcallPath ours = UpcallPath.of(directory);
    return UpcallDirectoryStream.open(
        ours.system().at(ours), ours, new UpcallDirectoryStream.Choice(true, filter));
  }

  @Override
  public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
    int mode = Permissions.initial(FileRequest.DEFAULT_DIRECTORY_MODE, attributes);
    UpcallPath ours = UpcallPath.of(directory);
    make(
        ours,
        () ->
            new FileRequest.CreateDirectory(
                ours.system().lookups().place(ours),
                Parents.MUST_EXIST,
                MetadataChange.NONE.withMode(mode)));
  }

  @Override
  public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes)
      throws IOException {
    UpcallPath ours = UpcallPath.of(link);
    String text = UpcallPath.of(target).toString();
    if (attributes.length > 0) {
      throw new UnsupportedOperationException(
          "Initial file attributes not supported when creating symbolic link");
    }
    if (text.isEmpty()) {
      throw new NoSuchFileException(link.toString());
    }
    make(
        ours,
        () ->
            new FileRequest.SymbolicLink(
                ours.system().lookups().place(ours), text, MetadataChange.NONE));
  }

  private static void make(UpcallPath path, Supplier<FileRequest> request) throws IOException {
    Changes changes = system(path).changes();
    changes.check();
    Failures.of(path, () -> changes.commit(List.of(request.get())));
  }

  @Override
  public Path readSymbolicLink(Path link) throws IOException {
    UpcallPath ours = UpcallPath.of(link);
    UpcallFileSystem system = system(link);
    if (!system.at(ours).look(/* follows= */ false).isSymbolicLink()) {
      throw new NotLinkException(link.toString());
    }
    return system.getPath(
        Failures.of(link, () -> system.changes().store().readLink(system.lookups().place(ours))));
  }

  @Override
  public void delete(Path path) throws IOException {
    located(path).delete();
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    new Copier(located(source), located(target), CopyOptions.ofCopy(options)).copy();
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    new Copier(located(source), located(target), CopyOptions.ofMove(options)).move();
  }

  // ------------------------------------------------------------------ attributes

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    UpcallPath ours = UpcallPath.of(path);
    if (path.equals(Objects.requireNonNull(other, "other"))) {
      return true;
    }
    if (!(other instanceof UpcallPath that)) {
      return false;
    }
    FileInfo here = located(path).look(/* follows= */ true);
    FileInfo there = located(other).look(/* follows= */ true);
    return here.id() == there.id()
        && ours.system().changes().store() == that.system().changes().store();
  }

  @Override
  public boolean isHidden(Path path) {
    Path name = UpcallPath.of(path).getFileName();
    return name != null && name.toString().startsWith(".");
  }

  @Override
  public FileStore getFileStore(Path path) throws IOException {
    UpcallFileSystem system = system(path);
    located(path).look(/* follows= */ true); // it must exist
    return system.fileStore();
  }

  /** Permissions are kept, not enforced: as for root, only execution asks for a bit. */
  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    UpcallFileSystem system = system(path);
    PosixFileAttributes there = located(path).attributes(/* follows= */ true);
    for (AccessMode mode : modes) {
      Objects.requireNonNull(mode, "mode");
      boolean executable = there.isDirectory() || Permissions.areExecutable(there.permissions());
      if (mode == AccessMode.WRITE && system.isReadOnly()
          || mode == AccessMode.EXECUTE && !executable) {
        throw new AccessDeniedException(path.toString());
      }
    }
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    Located file = located(path);
    boolean follows = Links.follows(options);
    Objects.requireNonNull(type, "type");
    return type == UserDefinedFileAttributeView.class
        ? type.cast(new UpcallUserView(file, follows))
        : UpcallPosixView.of(file, type, follows);
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    Located file = located(path);
    checkType(type);
    return type.cast(file.attributes(Links.follows(options)));
  }

  private static void checkType(Class<?> type) {
    if (Objects.requireNonNull(type, "type") != BasicFileAttributes.class
        && type != PosixFileAttributes.class) {
      throw new UnsupportedOperationException("attributes of type " + type.getName());
    }
  }

  @Override
  public <A extends BasicFileAttributes> @Nullable A readAttributesIfExists(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    Located file = located(path);
    checkType(type);
    PosixFileAttributes there = file.attributesIfThere(Links.follows(options));
    return there == null ? null : type.cast(there);
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
      throws IOException {
    Located file = located(path);
    file.check();
    return new AttributeNames(file, Links.follows(options))
        .read(Objects.requireNonNull(attributes, "attributes"));
  }

  @Override
  public void setAttribute(
      Path path, String attribute, @Nullable Object value, LinkOption... options)
      throws IOException {
    Located file = located(path);
    file.check();
    new AttributeNames(file, Links.follows(options))
        .set(Objects.requireNonNull(attribute, "attribute"), value);
  }
}
