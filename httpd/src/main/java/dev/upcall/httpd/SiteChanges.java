package dev.upcall.httpd;

import dev.upcall.FileCondition;
import dev.upcall.FileManager;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
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
