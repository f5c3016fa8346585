package dev.upcall.httpd;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.StorePath;
import dev.upcall.fsm.Completion;
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

  /**
   * Looks where a symbolic link leads; see {@link FileManager#readLink} and {@link
   * FileManager#stat}. A link that leads nowhere, or to what cannot be read, is a broken one.
   */
  void follow(StorePath link, CompletionPort<LinkTarget> port);

  /** The writing half, or null if this site cannot be changed. */
  default @Nullable SiteChanges changes() {
    return null;
  }

  /** Pages that are made on request, in place of everything above; null for a site of files. */
  default @Nullable Pages pages() {
    return null;
  }

  /** A site of pages and no files. */
  static Site ofPages(Pages pages) {
    return new PageSite(pages);
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
      public void follow(StorePath link, CompletionPort<LinkTarget> port) {
        files.readLink(
            link,
            target -> {
              switch (target) {
                case Completion.Failed<String> gone -> port.complete(gone.cast());
                case Completion.Done<String>(String path) ->
                    files.stat(link, LinkPolicy.FOLLOW, found -> port.complete(led(path, found)));
              }
            });
      }

      private Completion<LinkTarget> led(String path, Completion<FileInfo> found) {
        return Completion.done(
            new LinkTarget(
                path, found instanceof Completion.Done<FileInfo>(FileInfo info) ? info : null));
      }

      @Override
      public SiteChanges changes() {
        return SiteChanges.of(files);
      }
    };
  }
}
