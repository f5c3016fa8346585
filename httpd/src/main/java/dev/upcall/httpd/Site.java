package dev.upcall.httpd;

import dev.upcall.FileManager;
import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.files.StoreSite;
import dev.upcall.request.Resolved;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server serves: the part of the file manager that sessions use. Its other implementation is
 * a server without a store behind, whose speed is the ceiling of ours.
 */
public interface Site {
  /** See {@link FileManager#openRead}. */
  void openRead(StorePath path, LeaseOwner owner, CompletionPort<OpenFile> port);

  /** See {@link FileManager#openCopy}; a site that offers none has null. */
  default @Nullable Completion<OpenFile> openCopy(StorePath path, ByteBuffer into) {
    return null;
  }

  /** See {@link FileManager#wantCopies}. */
  default void wantCopies() {}

  /**
   * How many bytes of a file a session asks for at once, if its client may lease as many: more than
   * a slice where each asking is a way to another thread.
   */
  default int mostBytesAtOnce() {
    return HttpConfig.SLICE_BYTES;
  }

  /**
   * The same site for a look at what may be missing, or not for everybody, without any word of it.
   */
  default Site neighbours() {
    return this;
  }

  /** The same site, any part of whose files may be read more than once and out of order. */
  default Site rereadable() {
    return this;
  }

  /**
   * See {@link FileManager#list}; where the volume is damaged, the page also has the names of those
   * entries of which nothing else can be read.
   */
  void list(StorePath directory, String afterName, int limit, CompletionPort<SitePage> port);

  /** See {@link FileManager#names}. */
  void names(StorePath directory, Listing.Range range, CompletionPort<Listing.Names> port);

  /**
   * Looks where a symbolic link leads; see {@link FileManager#readLink} and {@link
   * FileManager#stat}. A link that leads nowhere, or to what cannot be read, is a broken one.
   */
  void follow(StorePath link, CompletionPort<LinkTarget> port);

  /**
   * Looks where a path leads, for access rules, which hold for places; see {@link
   * dev.upcall.request.Look.Resolve}.
   */
  void resolve(StorePath path, LinkPolicy links, CompletionPort<Resolved> port);

  /** The writing half, if this site can be changed. */
  default Optional<SiteChanges> changes() {
    return Optional.empty();
  }

  /** Its named moments, if it has some. */
  default Optional<SiteSnapshots> snapshots() {
    return Optional.empty();
  }

  /** Pages that are made on request, in place of everything above; none for a site of files. */
  default Optional<ResponseGenerator> pages() {
    return Optional.empty();
  }

  /** A site of pages and no files. */
  static Site ofPages(ResponseGenerator pages) {
    return new GeneratedSite(Objects.requireNonNull(pages, "pages"));
  }

  /** A site of all files of a store. */
  static Site of(FileManager files) {
    Objects.requireNonNull(files, "files");
    return new StoreSite(files) {
      @Override
      public @Nullable Completion<OpenFile> openCopy(StorePath path, ByteBuffer into) {
        Completion<OpenFile> copied = files.openCopy(path, into);
        return copied == null ? null : opened(path, copied);
      }

      @Override
      public void wantCopies() {
        files.wantCopies();
      }

      @Override
      public Optional<SiteChanges> changes() {
        return Optional.of(SiteChanges.of(files));
      }

      @Override
      public Optional<SiteSnapshots> snapshots() {
        return Optional.of(SiteSnapshots.of(files));
      }
    };
  }

  /** A site of files that can only be read, as of one moment or as they are. */
  static Site ofReads(FileReads files) {
    return new StoreSite(files);
  }
}
