package dev.upcall.httpd.blocking;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What a server of threads serves. Any thread; each call waits until it is done. */
public interface BlockingSite {
  /** Opens the present version of a file; {@code IsADirectory} for a directory. */
  Completion<OpenedFile> open(StorePath path);

  /**
   * A page of a directory; see {@link Upcall#list}. Where the volume is damaged, it also has the
   * names of those entries of which nothing else can be read.
   */
  Completion<SitePage> list(StorePath directory, String afterName, int limit);

  /** Names of a directory; see {@link Upcall#names}. */
  Completion<Listing.Names> names(StorePath directory, Listing.Range range);

  /** Looks where a symbolic link leads; see {@link LinkTarget}. */
  Completion<LinkTarget> follow(StorePath link);

  /** The writing half, if this site can be changed. */
  default Optional<Changes> changes() {
    return Optional.empty();
  }

  /** Makes pages in place of everything above; none for a site of files. */
  default Optional<Function<StorePath, Completion<GeneratedResponse>>> pages() {
    return Optional.empty();
  }

  /** All files of a store. */
  static BlockingSite of(Upcall store) {
    return new UpcallSite(Objects.requireNonNull(store, "store"));
  }

  /** Pages and no files. */
  static BlockingSite ofPages(Function<StorePath, Completion<GeneratedResponse>> pages) {
    return new GeneratedOnlySite(Objects.requireNonNull(pages, "pages"));
  }

  /** A version of a file that is held; used by one thread at a time. */
  interface OpenedFile extends AutoCloseable {
    /** Its metadata. */
    FileInfo info();

    /** At least one byte from inside the file, to be released; see {@link Upcall.ReadStream}. */
    Completion<ContentSlice> slice(long offset, int maxBytes);

    /** Lets go of it; slices stay until they are released. */
    @Override
    void close();
  }

  /** The writing half of a site. */
  interface Changes {
    /** Begins to make or replace a file; see {@link Upcall#put}. */
    Completion<NewFile> put(StorePath path, PutOptions options);

    /** Deletes; see {@link Upcall#delete}. */
    Completion<Unit> delete(StorePath path, FileCondition condition);

    /** What is there, links not followed; see {@link Upcall#stat}. */
    Completion<FileInfo> look(StorePath path);

    /**
     * Does edits, of one file and at least one, as one change; see {@link Upcall#batch}. What the
     * file is then.
     */
    Completion<FileInfo> edit(List<FileRequest.Splice> edits);
  }

  /** A file on its way into the store; used by one thread at a time. */
  interface NewFile extends AutoCloseable {
    /** Appends the remaining bytes of a buffer. */
    Completion<Unit> append(ByteBuffer bytes);

    /** Makes the file visible, durable when this returns. */
    Completion<FileInfo> commit();

    /** Gives the file up unless it was committed. */
    @Override
    void close();
  }
}
