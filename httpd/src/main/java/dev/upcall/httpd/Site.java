package dev.upcall.httpd;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.StorePath;
import dev.upcall.fsm.CompletionPort;
import org.jspecify.annotations.Nullable;

/**
 * What a server serves: the part of the file manager that sessions use. Its other implementation is
 * a server without a store behind, whose speed is the ceiling of ours.
 */
public interface Site {
  /** See {@link FileManager#openRead}. */
  void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port);

  /** See {@link FileManager#list}. */
  void list(
      StorePath directory, @Nullable String afterName, int limit, CompletionPort<Listing> port);

  /** Finds what a path leads to, symbolic links followed; see {@link FileManager#stat}. */
  void stat(StorePath path, CompletionPort<FileInfo> port);

  /** The writing half, or null if this site cannot be changed. */
  default @Nullable SiteChanges changes() {
    return null;
  }

  /** A site of all files of a store. */
  static Site of(FileManager files) {
    return new Site() {
      @Override
      public void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port) {
        files.openRead(path, owner, port);
      }

      @Override
      public void list(
          StorePath directory,
          @Nullable String afterName,
          int limit,
          CompletionPort<Listing> port) {
        files.list(directory, afterName, limit, port);
      }

      @Override
      public void stat(StorePath path, CompletionPort<FileInfo> port) {
        files.stat(path, LinkPolicy.FOLLOW, port);
      }

      @Override
      public SiteChanges changes() {
        return SiteChanges.of(files);
      }
    };
  }
}
