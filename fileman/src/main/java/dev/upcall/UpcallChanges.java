package dev.upcall;

import dev.upcall.content.Texts;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Everything that changes files and directories, by callers that wait: at once and durably ({@link
 * Upcall}) or as a part of a transaction ({@link UpcallTransaction}). Those that are a {@link
 * FileRequest} are {@link #change} under a name of their own, as in {@link AsyncChanges}.
 */
public interface UpcallChanges extends UpcallReads {
  /** Asks; the methods below are this under names of their own. */
  <R> R ask(Change<R> change);

  /** Makes or replaces a whole file. */
  default FileInfo write(CharSequence path, byte[] content) {
    return write(path, content, PutOptions.DEFAULT);
  }

  /** Makes or replaces a whole file. */
  default FileInfo write(CharSequence path, byte[] content, PutOptions options) {
    return ask(new Change.Write(path, content, options));
  }

  /** Makes or replaces a whole file of text, in UTF-8. */
  default FileInfo writeString(CharSequence path, CharSequence text) {
    return writeString(path, text, PutOptions.DEFAULT);
  }

  /** Makes or replaces a whole file of text, in UTF-8. */
  default FileInfo writeString(CharSequence path, CharSequence text, PutOptions options) {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(options, "options");
    return write(path, UpcallException.value(Texts.encode(path, text)), options);
  }

  /** Adds to the end of a file, which is made when it is not there. */
  default FileInfo append(CharSequence path, byte[] bytes) {
    return ask(new Change.Append(path, OpenMode.CREATE, bytes));
  }

  /** Sets the size of a file that is there; what is behind the old end reads as zeros. */
  default FileInfo truncate(CharSequence path, long sizeBytes) {
    return ask(new Change.Truncate(path, OpenMode.EXISTING, sizeBytes));
  }

  /**
   * Makes or replaces a whole file from a stream that is read to its end (and not closed). Some of
   * it may have been read when the file is refused for what its path leads to.
   */
  FileInfo write(CharSequence path, InputStream content, PutOptions options);

  /**
   * Begins to make or replace a whole file of any size. Nothing is seen of it before {@link
   * Upcall.PutStream#commit}; closing without commit leaves nothing.
   *
   * <p>So much content may be on its way at once, what is no larger than a block not counted;
   * writing more waits for a place, in the order of coming, and gets {@code Busy} when that takes
   * longer than {@link UpcallConfig#withPlaces} says. A thread with more streams than there are
   * places that commits none of them waits for itself, and is told so by that {@code Busy}.
   */
  Upcall.PutStream put(CharSequence path, PutOptions options);

  /**
   * Opens for reading and writing ranges; see {@link FileChanges#open}. Must be closed; in a
   * transaction before its end, or else the commit flushes what was collected.
   *
   * <p>Only so many handles may have writes to commit. The first write of one more waits, in the
   * order of coming, and gets {@code Busy} when that takes longer than {@link
   * UpcallConfig#withPlaces} says: so a thread with too many handles does not wait for itself for
   * ever. A flush gives the place back.
   */
  Upcall.RandomAccess open(CharSequence path, OpenMode mode);

  /**
   * Opens for reading and writing as a channel of the JDK. Its writes are collected as those of
   * {@link #open}, and committed by its next read and by {@code close}; so it reads what it has
   * written. Failures are {@link UpcallException}s, as everywhere. Used by one thread at a time.
   */
  SeekableByteChannel newByteChannel(CharSequence path, OpenMode mode);

  /**
   * Does one request, all or nothing; what it made, moved or changed, if anything. Content that it
   * names is used up, whatever the outcome.
   */
  default Optional<FileInfo> change(FileRequest request) {
    return ask(Objects.requireNonNull(request, "request"));
  }

  /** Does many requests as one: all or nothing, later ones see what earlier ones did. */
  default BatchResult batch(List<FileRequest> requests) {
    return ask(new Change.Batch(requests));
  }

  /** Makes a directory below one that is there; see {@link FileRequest.CreateDirectory}. */
  default FileInfo createDirectory(CharSequence path) {
    return one(new FileRequest.CreateDirectory(path));
  }

  /**
   * Makes a directory and all that are missing on the way, or finds it there; see {@link
   * FileRequest.CreateDirectory}.
   */
  default FileInfo createDirectories(CharSequence path) {
    return one(new FileRequest.CreateDirectory(path, Parents.MAKE, MetadataChange.NONE));
  }

  /** Makes a symbolic link; see {@link FileRequest.SymbolicLink}. */
  default FileInfo symbolicLink(CharSequence path, String target) {
    return one(new FileRequest.SymbolicLink(path, target, MetadataChange.NONE));
  }

  /** Deletes a file, link or empty directory. */
  default void delete(CharSequence path) {
    delete(path, FileCondition.NONE);
  }

  /** Deletes a file, link or empty directory; see {@link FileRequest.Delete}. */
  default void delete(CharSequence path, FileCondition condition) {
    ask(new FileRequest.Delete(path, condition));
  }

  /** Deletes whatever is there with all below it. */
  default void deleteTree(CharSequence path) {
    deleteTree(path, FileCondition.NONE);
  }

  /** Deletes whatever is there with all below it; see {@link FileRequest.DeleteTree}. */
  default void deleteTree(CharSequence path, FileCondition condition) {
    ask(new FileRequest.DeleteTree(path, condition));
  }

  /** Renames to a name that is free; {@code AlreadyExists} otherwise. */
  default FileInfo rename(CharSequence from, CharSequence to) {
    return rename(from, to, Existence.MUST_NOT_EXIST);
  }

  /** Renames; {@link Existence#ANY} replaces what is there. See {@link FileRequest.Rename}. */
  default FileInfo rename(CharSequence from, CharSequence to, Existence target) {
    return rename(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
  }

  /** Renames; see {@link FileRequest.Rename}. */
  default FileInfo rename(CharSequence from, CharSequence to, FileCondition target) {
    return one(new FileRequest.Rename(from, to, target));
  }

  /** Makes a file that shares its content with another, under a name that is free. */
  default FileInfo cloneFile(CharSequence from, CharSequence to) {
    return cloneFile(from, to, Existence.MUST_NOT_EXIST);
  }

  /**
   * Makes a file that shares its content with another; {@link Existence#ANY} replaces what is
   * there. See {@link FileRequest.Clone}.
   */
  default FileInfo cloneFile(CharSequence from, CharSequence to, Existence target) {
    return cloneFile(from, to, FileCondition.of(Objects.requireNonNull(target, "target")));
  }

  /** Makes a file that shares its content with another; see {@link FileRequest.Clone}. */
  default FileInfo cloneFile(CharSequence from, CharSequence to, FileCondition target) {
    return one(new FileRequest.Clone(from, to, target));
  }

  /** Puts bytes in the place of a range, whatever the version; see {@link FileRequest.Splice}. */
  default FileInfo splice(CharSequence path, long offset, long removed, byte[] bytes) {
    return splice(path, offset, removed, bytes, FileCondition.NONE);
  }

  /** Puts bytes in the place of a range; see {@link FileRequest.Splice}. */
  default FileInfo splice(
      CharSequence path, long offset, long removed, byte[] bytes, FileCondition condition) {
    return one(new FileRequest.Splice(path, offset, removed, bytes, condition));
  }

  /** As {@link #splice}: bytes come before what is at an offset, or behind the end. */
  default FileInfo insert(CharSequence path, long offset, byte[] bytes) {
    return splice(path, offset, 0, bytes);
  }

  /** As {@link #splice}: bytes go, and nothing comes in their place. */
  default FileInfo cut(CharSequence path, long offset, long lengthBytes) {
    return splice(path, offset, lengthBytes, new byte[0]);
  }

  /** Puts a range of a file into another, or elsewhere into itself, whatever the version. */
  default FileInfo copyRange(
      FileRequest.Range from, CharSequence to, long offset, FileRequest.Placing placing) {
    return copyRange(from, to, offset, placing, FileCondition.NONE);
  }

  /**
   * Puts a range of a file into another, or elsewhere into itself, sharing what is on the volume;
   * see {@link FileRequest.CopyRange}.
   */
  default FileInfo copyRange(
      FileRequest.Range from,
      CharSequence to,
      long offset,
      FileRequest.Placing placing,
      FileCondition target) {
    return one(new FileRequest.CopyRange(from, to, offset, placing, target));
  }

  /** Sets metadata; see {@link FileRequest.SetMetadata}. */
  default FileInfo setMetadata(CharSequence path, LinkPolicy links, MetadataChange change) {
    return setMetadata(path, links, change, FileCondition.NONE);
  }

  /** Sets metadata; see {@link FileRequest.SetMetadata}. */
  default FileInfo setMetadata(
      CharSequence path, LinkPolicy links, MetadataChange change, FileCondition condition) {
    return one(new FileRequest.SetMetadata(path, links, change, condition));
  }

  /** Changes when a file is gone by itself; {@link Expiry#NEVER}: it stays. */
  default FileInfo setExpiry(CharSequence path, Expiry expiry) {
    Objects.requireNonNull(expiry, "expiry");
    return setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withExpiry(expiry));
  }

  /** Sets a property of the store; see {@link FileRequest.SetProperty}. */
  default void setProperty(String name, byte[] value) {
    ask(new FileRequest.SetProperty(name, value));
  }

  /** Removes a property of the store; see {@link FileRequest.RemoveProperty}. */
  default void removeProperty(String name) {
    ask(new FileRequest.RemoveProperty(name));
  }

  /** Asks what leaves one thing. */
  private FileInfo one(FileRequest request) {
    return ask(request).orElseThrow();
  }
}
