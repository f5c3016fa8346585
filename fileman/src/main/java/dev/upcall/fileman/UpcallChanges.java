package dev.upcall.fileman;

import java.io.InputStream;
import java.util.List;

/**
 * Everything that changes files and directories, by callers that wait: at once and durably ({@link
 * Upcall}) or as a part of a transaction ({@link UpcallTransaction}).
 */
public interface UpcallChanges extends UpcallReads {
  /** Makes or replaces a whole file. */
  default FileInfo write(String path, byte[] content) {
    return write(path, content, PutOptions.DEFAULT);
  }

  /** Makes or replaces a whole file. */
  FileInfo write(String path, byte[] content, PutOptions options);

  /** Makes or replaces a whole file from a stream that is read to its end (and not closed). */
  FileInfo write(String path, InputStream content, PutOptions options);

  /**
   * Begins to make or replace a whole file of any size. Nothing is seen of it before {@link
   * Upcall.PutStream#commit}; closing without commit leaves nothing. When too many are open at once
   * the store refuses with {@code Busy}.
   */
  Upcall.PutStream put(String path, PutOptions options);

  /**
   * Opens for reading and writing ranges; see {@link FileChanges#open}. Must be closed; in a
   * transaction before its end, or else the commit flushes what was collected.
   */
  Upcall.RandomAccess open(String path, OpenMode mode);

  /** Makes a directory; see {@link FileRequest.CreateDirectory}. */
  FileInfo createDirectory(String path, boolean parents);

  /** Makes a symbolic link; see {@link FileRequest.SymbolicLink}. */
  FileInfo symbolicLink(String path, String target);

  /** Deletes a file, link or empty directory. */
  default void delete(String path) {
    delete(path, FileCondition.NONE);
  }

  /** Deletes a file, link or empty directory; see {@link FileRequest.Delete}. */
  void delete(String path, FileCondition condition);

  /** Deletes whatever is there with all below it. */
  default void deleteTree(String path) {
    deleteTree(path, FileCondition.NONE);
  }

  /** Deletes whatever is there with all below it; see {@link FileRequest.DeleteTree}. */
  void deleteTree(String path, FileCondition condition);

  /** Renames; see {@link FileRequest.Rename}. */
  default FileInfo rename(String from, String to, boolean replace) {
    return rename(from, to, replace ? FileCondition.NONE : FileCondition.ABSENT);
  }

  /** Renames; see {@link FileRequest.Rename}. */
  FileInfo rename(String from, String to, FileCondition target);

  /** Makes a file that shares its content with another; see {@link FileRequest.Clone}. */
  default FileInfo cloneFile(String from, String to, boolean replace) {
    return cloneFile(from, to, replace ? FileCondition.NONE : FileCondition.ABSENT);
  }

  /** Makes a file that shares its content with another; see {@link FileRequest.Clone}. */
  FileInfo cloneFile(String from, String to, FileCondition target);

  /** Sets metadata; see {@link FileRequest.SetMetadata}. */
  default FileInfo setMetadata(String path, LinkPolicy links, MetadataChange change) {
    return setMetadata(path, links, change, FileCondition.NONE);
  }

  /** Sets metadata; see {@link FileRequest.SetMetadata}. */
  FileInfo setMetadata(
      String path, LinkPolicy links, MetadataChange change, FileCondition condition);

  /** Does many requests as one: all or nothing, later ones see what earlier ones did. */
  BatchResult batch(List<FileRequest> requests);

  /** Sets a property of the store. */
  default void setProperty(String name, byte[] value) {
    batch(List.of(new FileRequest.SetProperty(name, value)));
  }
}
