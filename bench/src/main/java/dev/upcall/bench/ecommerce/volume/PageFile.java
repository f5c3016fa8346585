package dev.upcall.bench.ecommerce.volume;

import dev.upcall.FileHandle;
import dev.upcall.FileManager;
import dev.upcall.OpenMode;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;

/**
 * Pages [first, end) of a database in a file of the store. Writes are collected until they are
 * flushed; one of them at a time. Dispatcher's thread only.
 */
final class PageFile {
  private final Place place;
  private final FileHandle handle;

  /**
   * Which pages, and where.
   *
   * @param path of the file
   * @param firstPage of it
   * @param endPage behind its last one
   */
  record Place(String path, long firstPage, long endPage) {}

  private PageFile(Place place, FileHandle handle) {
    this.place = place;
    this.handle = handle;
  }

  /** Opens a file, new or not. */
  static void open(FileManager files, Place place, OpenMode mode, CompletionPort<PageFile> port) {
    files.open(
        place.path,
        mode,
        completion -> port.complete(completion.map(handle -> new PageFile(place, handle))));
  }

  Place place() {
    return place;
  }

  /** Reads pages that were flushed; fewer than asked for at borders of the store's. */
  void read(long page, int pages, CompletionPort<ContentSlice> port) {
    handle.read(offset(page), pages * PageContent.BYTES, port);
  }

  /** Collects consecutive pages. */
  void write(long page, ByteBuffer bytes, CompletionPort<Unit> port) {
    handle.write(offset(page), bytes, port);
  }

  /** What is collected becomes content, all or nothing; durable at the completion. */
  void flush(CompletionPort<Unit> port) {
    handle.flush(port);
  }

  void close(CompletionPort<Unit> port) {
    handle.close(port);
  }

  private long offset(long page) {
    return (page - place.firstPage) * PageContent.BYTES;
  }
}
