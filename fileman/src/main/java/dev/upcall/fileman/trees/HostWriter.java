package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.base.HostWords;
import dev.upcall.trees.Present;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** Writes single entries to the host, never through a symbolic link. Any thread. */
final class HostWriter {
  private static final int PIECE_BYTES = 256 << 10;
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final String PART_SUFFIX = ".upcall-part";

  private final UpcallReads store;
  private final Present present;
  private final TransferRun run;

  /** Writes what is in a store. */
  HostWriter(UpcallReads store, Present present, TransferRun run) {
    this.store = store;
    this.present = present;
    this.run = run;
  }

  /** Writes a file; returns its size. What is there stays, or gives way. */
  long file(String storePath, Path path, FileInfo info) throws IOException {
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
        FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      try {
        long size = copy(storePath, channel);
        expiry(storePath, part, info);
        run.attributesNotKept(
            info.attributes().keySet().stream()
                .filter(name -> !name.equals(ImportMark.ATTRIBUTE))
                .count());
        attributes(part, info);
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
      while (stream.read(sizeBytes, piece.clear()) >= 0) {
        run.check();
        piece.flip();
        run.progress().bytes(piece.remaining());
        sizeBytes = SparseWriter.write(into, piece, sizeBytes);
      }
    }
    SparseWriter.end(into, sizeBytes);
    return sizeBytes;
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
    if (present == Present.REPLACE && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(path);
    }
    HostLinks.create(path, target);
    setTime(path, info);
  }

  /** Makes a directory unless one is there; returns whether it did. */
  boolean directory(Path path, int mode) throws IOException {
    try {
      HostEntry there = HostEntry.of(path);
      if (there.type() != HostEntry.Type.DIRECTORY) {
        throw new FileSystemException(
            path.toString(), null, "is " + there.typeName() + " where a directory must be");
      }
      return false;
    } catch (NoSuchFileException missing) {
      Files.createDirectory(path);
      Files.setAttribute(path, "unix:mode", mode, LinkOption.NOFOLLOW_LINKS);
      return true;
    }
  }

  /** Sets mode and time of a file or directory. */
  void attributes(Path path, FileInfo info) throws IOException {
    Files.setAttribute(path, "unix:mode", info.mode());
    setTime(path, info);
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
