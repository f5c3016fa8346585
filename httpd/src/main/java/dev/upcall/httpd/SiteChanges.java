package dev.upcall.httpd;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.files.StoreSiteChanges;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Objects;

/** The writing half of a {@link Site}: the part of the file manager that changes files. */
public interface SiteChanges {
  /** What is said to who has none. */
  Failure NO_EDITS = new Failure.Invalid("no edits of a file");

  /** See {@link FileManager#put}. */
  void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port);

  /** See {@link FileManager#delete(CharSequence, FileCondition, CompletionPort)}. */
  void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** What is there, links not followed; see {@link FileManager#stat}. */
  void look(StorePath path, CompletionPort<FileInfo> port);

  /**
   * Does edits, of one file and at least one, as one change; see {@link FileManager#batch}. What
   * the file is then.
   */
  default void edit(List<FileRequest.Splice> edits, CompletionPort<FileInfo> port) {
    batch(copy(edits), Durability.SYNC, port);
  }

  /** Looks where a PUT would make its file: links are followed, and nothing may be there. */
  void place(StorePath path, CompletionPort<Resolved> port);

  /**
   * Does requests, at least one, as one change; see {@link FileManager#batch}. The port gets what
   * the last one has made or changed.
   */
  void batch(List<FileRequest> requests, Durability durability, CompletionPort<FileInfo> port);

  /** What a caller gives, as requests: a copy, in which nothing is missing. */
  static List<FileRequest> copy(List<FileRequest.Splice> edits) {
    Objects.requireNonNull(edits, "edits");
    for (FileRequest.Splice edit : edits) {
      Objects.requireNonNull(edit, "one of edits");
    }
    return List.copyOf(edits);
  }

  /** Changes of all files of a store. */
  static SiteChanges of(FileManager files) {
    return new StoreSiteChanges(files);
  }
}
