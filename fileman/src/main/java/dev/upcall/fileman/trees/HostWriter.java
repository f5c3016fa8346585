package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.base.HostWords;
import dev.upcall.fileman.trees.host.ExcludedFiles;
import dev.upcall.fileman.trees.host.HostEntry;
import dev.upcall.fileman.trees.host.HostExpiry;
import dev.upcall.fileman.trees.host.HostLinks;
import dev.upcall.fileman.trees.host.SparseWriter;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.table.EntryLines;
import dev.upcall.trees.Present;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Writes single entries to the host, never through a symbolic link. Any thread. */
final class HostWriter {
  private static final int PIECE_BYTES = 256 << 10;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final String PART_SUFFIX = ".upcall-part";

  /** Of what is being written nobody else may read a part, whatever its own mode will be. */
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> OWN_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int SET_IDS = 06000;
  private static final int ID_BITS = 32;
  private static final long ID_MASK = 0xFFFF_FFFFL;

  private final UpcallReads store;
  private final Present present;
  private final ExcludedFiles excluded;
  private final TransferRun run;

  /**
   * Writes what is in a store.
   *
   * @param excluded what is never written over
   */
  HostWriter(UpcallReads store, Present present, ExcludedFiles excluded, TransferRun run) {
    this.store = store;
    this.present = present;
    this.excluded = excluded;
    this.run = run;
  }

  /** Writes a file; returns its size. What is there stays, or gives way. */
  long file(String storePath, Path path, FileInfo info) throws IOException {
    checkNotExcluded(path);
    boolean there = Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    if (there && present == Present.KEEP) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (there && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(path.toString(), null, "is a directory");
    }
    // A name of its own first: what stands there is replaced whole or not at all, and a name of 255
    // bytes leaves no room for a suffix.
    Path part = there ? path.resolveSibling("." + Long.toHexString(info.id()) + PART_SUFFIX) : path;
    if (there) {
      Files.deleteIfExists(part);
    }
    boolean whole = false;
    try (FileChannel channel =
        FileChannel.open(
            part, EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), OWN_FILE)) {
      try {
        long size = info.isTable() ? lines(storePath, channel) : copy(storePath, channel);
        expiry(storePath, part, info);
        run.attributesNotKept(
            info.attributes().keySet().stream()
                .filter(name -> !name.equals(ImportMark.ATTRIBUTE))
                .count());
        attributes(storePath, part, info, /* made= */ true);
        if (there) {
          Files.move(
              part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        whole = true;
        return size;
      } finally {
        if (!whole) {
          Files.deleteIfExists(part);
        }
      }
    }
  }

  private long copy(String storePath, FileChannel into) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    long sizeBytes = 0;
    try (Upcall.ReadStream stream = store.read(storePath)) {
      while (isRead(stream, sizeBytes, piece.clear())) {
        run.check();
        piece.flip();
        run.progress().bytes(piece.remaining());
        sizeBytes = SparseWriter.write(into, piece, sizeBytes);
      }
    }
    SparseWriter.end(into, sizeBytes);
    return sizeBytes;
  }

  /** Writes the entries of a table, a line for each; a page of them is of one commit. */
  private long lines(String table, FileChannel into) throws IOException {
    Optional<Look.Entries> next =
        Optional.of(
            new Look.Entries(
                table, KeyRange.ALL, Listing.Direction.ASCENDING, Look.Entries.MAX_ENTRIES));
    EntryLines entries =
        new EntryLines(
            store,
            StorePath.of(table),
            (value, failed) -> run.problem(value.toString(), String.valueOf(failed.getMessage())));
    long sizeBytes = 0;
    while (next.isPresent()) {
      run.check();
      TablePage page = store.ask(next.get());
      StringBuilder lines = new StringBuilder();
      for (TablePage.Entry entry : page.entries()) {
        entries.line(entry, /* hex= */ false).ifPresent(line -> lines.append(line).append('\n'));
      }
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(CharBuffer.wrap(lines));
      run.progress().bytes(bytes.remaining());
      while (bytes.hasRemaining()) {
        sizeBytes += into.write(bytes, sizeBytes);
      }
      next = next.get().next(page);
    }
    if (entries.tooLarge() > 0) {
      run.problem(
          table,
          "%d values of more than %d bytes are left out"
              .formatted(entries.tooLarge(), EntryLines.MAX_VALUE_BYTES));
    }
    return sizeBytes;
  }

  /** Whether something was read, before the end. */
  private boolean isRead(Upcall.ReadStream stream, long at, ByteBuffer piece) throws IOException {
    try {
      return stream.read(at, piece) >= 0;
    } catch (UpcallException refused) {
      if (Damage.isIn(refused.failure())) {
        throw UnreadableRanges.of(stream, at, run::check, refused);
      }
      throw refused;
    }
  }

  private void expiry(String storePath, Path path, FileInfo info) {
    try {
      HostExpiry.write(path, info);
    } catch (IOException refused) {
      run.problem(storePath, "its expiry is not kept: " + HostWords.of(refused));
    }
  }

  /** Makes a symbolic link. */
  void link(Path path, String target, FileInfo info) throws IOException {
    checkNotExcluded(path);
    if (present == Present.REPLACE && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(path);
    }
    HostLinks.create(path, target);
    takesOwner(path, info);
    setTime(path, info);
  }

  /** Makes a directory, for now its owner's alone, unless one is there; returns whether it did. */
  boolean directory(Path path) throws IOException {
    checkNotExcluded(path);
    try {
      HostEntry there = HostEntry.of(path);
      if (there.type() != HostEntry.Type.DIRECTORY) {
        throw new FileSystemException(
            path.toString(), null, "is " + there.typeName() + " where a directory must be");
      }
      return false;
    } catch (NoSuchFileException missing) {
      Files.createDirectory(path, OWN_DIRECTORY);
      return true;
    }
  }

  private void checkNotExcluded(Path path) throws IOException {
    if (excluded.hold(path)) {
      throw new FileSystemException(
          path.toString(),
          null,
          "belongs to the store itself, and is not written over; export to another directory");
    }
  }

  /**
   * Sets mode and time of a file or directory, and the owner where the process may. A file that
   * remains its writer's must not run with the writer's rights: without the owner, set-user-ID and
   * set-group-ID are left out.
   *
   * @param made whether it was made here, and is not somebody's
   */
  void attributes(String storePath, Path path, FileInfo info, boolean made) throws IOException {
    // Before the mode: a change of the owner takes these bits away.
    boolean owned = made ? takesOwner(path, info) : isOwned(HostEntry.of(path), info);
    int mode = info.mode();
    if ((mode & SET_IDS) != 0 && !owned) {
      run.problem(
          storePath,
          "its set-user-ID or set-group-ID bit is not kept, since its owner %d:%d is not"
              .formatted(info.owner() & ID_MASK, info.owner() >>> ID_BITS));
      mode &= ~SET_IDS;
    }
    Files.setAttribute(path, "unix:mode", mode);
    setTime(path, info);
  }

  private static boolean isOwned(HostEntry there, FileInfo info) {
    return there.owner() == info.owner();
  }

  /** Gives a new entry its owner and group where the process may, as root; whether it has them. */
  private static boolean takesOwner(Path path, FileInfo info) throws IOException {
    HostEntry there = HostEntry.of(path);
    boolean writtenByRoot = (there.owner() & ID_MASK) == 0;
    if (isOwned(there, info) || !writtenByRoot) {
      return isOwned(there, info);
    }
    try {
      int group = (int) (info.owner() >>> ID_BITS);
      int user = (int) (info.owner() & ID_MASK);
      Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (IOException refused) {
      // A user namespace without these ids, or a file system that keeps none.
      return false;
    }
  }

  private static void setTime(Path path, FileInfo info) throws IOException {
    FileTime modified = settable(info.times().modifiedNanos());
    Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(modified, null, null);
  }

  /** Of a moment before 1970 the second: for a fraction of one the JDK sets 1970. */
  static FileTime settable(long epochNanos) {
    return epochNanos < 0
        ? FileTime.from(Math.floorDiv(epochNanos, NANOS_PER_SECOND), TimeUnit.SECONDS)
        : FileTime.from(epochNanos, TimeUnit.NANOSECONDS);
  }
}
