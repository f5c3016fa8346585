package dev.upcall.nio.content;

import dev.upcall.BatchResult;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.nio.watch.Directories;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of a file system's changes into the store: visible when they return, durable then or
 * later, as it was mounted.
 */
public final class Changes {
  private final UpcallReads reads;
  private final @Nullable Upcall store;
  private final @Nullable Directories directories;
  private final Durability durability;

  /** To a store. */
  public Changes(Upcall store, Directories directories, Durability durability) {
    this.reads = store;
    this.store = store;
    this.directories = directories;
    this.durability = durability;
  }

  /** Nowhere: a snapshot is read only. */
  public Changes(UpcallReads snapshot) {
    this.reads = snapshot;
    this.store = null;
    this.directories = null;
    this.durability = Durability.SYNC;
  }

  /** What can be read. */
  public UpcallReads store() {
    return reads;
  }

  public boolean isReadOnly() {
    return store == null || store.config().readOnly();
  }

  /** What tells of changes; null where there are none. */
  public @Nullable Directories directories() {
    return directories;
  }

  /**
   * Does requests as one.
   *
   * @throws ReadOnlyFileSystemException where nothing can be changed
   */
  public BatchResult commit(List<FileRequest> requests) {
    return writable().batch(requests, durability);
  }

  /** Refuses where nothing can be changed. */
  public void check() {
    writable();
  }

  private Upcall writable() {
    Upcall writable = store;
    if (writable == null || isReadOnly()) {
      throw new ReadOnlyFileSystemException();
    }
    return writable;
  }
}
