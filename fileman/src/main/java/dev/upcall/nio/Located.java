package dev.upcall.nio;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.nio.channel.Failures;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A path, and where it begins if it is relative: looks at what it leads to, and changes of that.
 * Exceptions name the path as the program did. Any threads.
 *
 * @param from the root, or an open directory
 */
record Located(Lookups from, UpcallPath path) {
  /** The file system of the path. */
  UpcallFileSystem system() {
    return path.system();
  }

  /** Whether the path is all that leads to it, and no open directory. */
  boolean isByPath() {
    return from == system().lookups();
  }

  /** Refuses when the file system, or the directory in which the path begins, is closed. */
  void check() {
    from.check();
  }

  /** Where it is in the store; throws {@link UpcallException}, as do {@code stat} and its kin. */
  StorePath place() {
    return from.place(path);
  }

  /** What it leads to. */
  FileInfo stat(LinkPolicy links) {
    return from.stat(path, links);
  }

  /** What it leads to; null where there is nothing, or where nothing can be. */
  @Nullable FileInfo statIfThere(LinkPolicy links) {
    return from.statIfThere(path, links);
  }

  // ------------------------------------------------------------------ looks

  FileInfo look(boolean follows) throws IOException {
    check();
    return Failures.of(path, () -> stat(Links.policy(follows)));
  }

  PosixFileAttributes attributes(boolean follows) throws IOException {
    PosixFileAttributes found = attributesIfThere(follows);
    if (found == null) {
      throw new NoSuchFileException(path.toString());
    }
    return found;
  }

  /** Null where there is nothing, or where nothing can be. */
  @Nullable PosixFileAttributes attributesIfThere(boolean follows) throws IOException {
    check();
    try {
      FileInfo there = statIfThere(Links.policy(follows));
      return there == null ? null : new UpcallFileAttributes(system().mount().volume(), there);
    } catch (UpcallException failed) {
      throw Failures.exception(failed, path.toString(), null);
    }
  }

  // ------------------------------------------------------------------ changes

  void setMetadata(boolean follows, MetadataChange change) throws IOException {
    check();
    system().changes().check();
    LinkPolicy links = Links.policy(follows);
    commit(new FileRequest.SetMetadata(place(path), links, change, FileCondition.NONE));
  }

  /**
   * As {@link #setMetadata(boolean, MetadataChange)}, of what need not be committed at once.
   *
   * @param change by what is there, of which it needs nothing that another such change changes
   */
  void setMetadata(boolean follows, Function<FileInfo, MetadataChange> change) throws IOException {
    check();
    system().changes().check();
    LinkPolicy links = Links.policy(follows);
    boolean collected =
        Failures.of(path, () -> system().mount().contents().collect(place(), links, change));
    if (!collected) {
      setMetadata(follows, change.apply(look(follows)));
    }
  }

  private StorePath place(UpcallPath named) throws IOException {
    return Failures.of(named, () -> from.place(named));
  }

  private void commit(FileRequest request) throws IOException {
    Failures.of(path, () -> system().changes().commit(List.of(request)));
  }

  /** See {@link java.nio.file.Files#delete}. */
  void delete() throws IOException {
    check();
    checkName(look(/* follows= */ false));
    system().changes().check();
    Failures.of(path, () -> OpenFiles.untilUndisturbed(() -> unlink(stat(LinkPolicy.NO_FOLLOW))));
  }

  /** As on the host dots at the end are no name by which a directory that is there could go. */
  private void checkName(FileInfo there) throws IOException {
    if (there.isDirectory() && path.endsInDots()) {
      throw path.endsWith("..")
          ? new DirectoryNotEmptyException(path.toString())
          : new FileSystemException(path.toString(), null, "Invalid argument");
    }
  }

  /** See {@link java.nio.file.SecureDirectoryStream#deleteFile}. */
  void deleteFile() throws IOException {
    if (look(/* follows= */ false).isDirectory()) {
      throw new FileSystemException(path.toString(), null, "Is a directory");
    }
    system().changes().check();
    Failures.of(path, () -> OpenFiles.untilUndisturbed(this::unlinkFile));
  }

  private FileInfo unlinkFile() {
    FileInfo there = stat(LinkPolicy.NO_FOLLOW);
    if (there.isDirectory()) {
      throw UpcallException.of(new Failure.IsADirectory(path.toString()));
    }
    return unlink(there);
  }

  /** See {@link java.nio.file.SecureDirectoryStream#deleteDirectory}. */
  void deleteDirectory() throws IOException {
    check();
    if (path.endsInDots()) {
      checkName(look(/* follows= */ false));
    }
    system().changes().check();
    commit(new FileRequest.Delete(place(path), FileCondition.NONE.ofDirectory()));
  }

  private FileInfo unlink(FileInfo there) {
    system().mount().open().unlink(place(), there, system().changes()::commit);
    return there;
  }
}
