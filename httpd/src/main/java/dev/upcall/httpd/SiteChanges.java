package dev.upcall.httpd;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.FileCondition;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.PutHandle;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.StorePath;
import java.util.Objects;

/** The writing half of a {@link Site}: the part of the file manager that changes files. */
public interface SiteChanges {
  /** See {@link FileManager#put}. */
  void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port);

  /** See {@link FileManager#delete(CharSequence, FileCondition, CompletionPort)}. */
  void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port);

  /** Changes of all files of a store. */
  static SiteChanges of(FileManager files) {
    Objects.requireNonNull(files, "files");
    return new SiteChanges() {
      @Override
      public void put(StorePath path, PutOptions options, CompletionPort<PutHandle> port) {
        files.put(path, options, port);
      }

      @Override
      public void delete(StorePath path, FileCondition condition, CompletionPort<Unit> port) {
        files.delete(path, condition, port);
      }
    };
  }
}
