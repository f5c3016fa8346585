package dev.upcall.bench.ecommerce.volume;

import dev.upcall.FileManager;
import dev.upcall.OpenMode;
import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The files of a database: one for each table with its index, in the order in which they lie, and
 * one for its log behind them. Dispatcher's thread only.
 */
final class TableFiles {
  /** Of the log, which comes round. */
  static final int LOG_PAGES = 1024;

  private static final int LOADED_AT_ONCE = 256;
  private static final int ROUND_PAGES = 16;

  private final List<PageFile> files = new ArrayList<>();
  private final PageContent content = new PageContent();

  private TableFiles() {}

  /**
   * Makes them, with all pages as they are loaded.
   *
   * @param rounds pages of the log that are written durably besides, so that what a store does in
   *     the first round of its own log is behind it
   */
  static void load(
      FileManager manager, Workload workload, long rounds, CompletionPort<TableFiles> port) {
    open(
        manager,
        workload,
        OpenMode.CREATE_NEW,
        port.then(
            made ->
                made.each(
                    made::fill,
                    port.then(filled -> made.round(rounds, port.then(done -> tell(made, port)))))));
  }

  /** Opens those that were made. */
  static void open(FileManager manager, Workload workload, CompletionPort<TableFiles> port) {
    open(manager, workload, OpenMode.EXISTING, port);
  }

  private static void open(
      FileManager manager, Workload workload, OpenMode mode, CompletionPort<TableFiles> port) {
    TableFiles opened = new TableFiles();
    openNext(manager, places(workload).iterator(), mode, opened, port);
  }

  private static void openNext(
      FileManager manager,
      Iterator<PageFile.Place> places,
      OpenMode mode,
      TableFiles opened,
      CompletionPort<TableFiles> port) {
    if (!places.hasNext()) {
      tell(opened, port);
      return;
    }
    PageFile.open(
        manager,
        places.next(),
        mode,
        port.then(
            file -> {
              opened.files.add(file);
              openNext(manager, places, mode, opened, port);
            }));
  }

  /** On the way back from a completion: so not inside the call. */
  private static void tell(TableFiles files, CompletionPort<TableFiles> port) {
    port.complete(Completion.done(files));
  }

  private static List<PageFile.Place> places(Workload workload) {
    List<PageFile.Place> places = new ArrayList<>();
    for (Table table : workload.tables()) {
      String path = "/" + table.name().replace(' ', '-');
      places.add(new PageFile.Place(path, table.firstPage(), table.endPage()));
    }
    long end = workload.endPage();
    places.add(new PageFile.Place("/log", end, end + LOG_PAGES));
    return places;
  }

  /** All of them; the log is the last. */
  List<PageFile> all() {
    return List.copyOf(files);
  }

  PageFile log() {
    return files.getLast();
  }

  /** The file of a page. */
  PageFile of(long page) {
    for (PageFile file : files) {
      if (page < file.place().endPage()) {
        return file;
      }
    }
    throw new IllegalArgumentException("no file has page " + page);
  }

  /** The page behind all. */
  long endPage() {
    return log().place().endPage();
  }

  void close(CompletionPort<Unit> port) {
    each(PageFile::close, port);
  }

  /** Does it to one file after the other; none: completes inside the call. */
  private void each(BiConsumer<PageFile, CompletionPort<Unit>> what, CompletionPort<Unit> port) {
    each(files.iterator(), what, port);
  }

  private static void each(
      Iterator<PageFile> left,
      BiConsumer<PageFile, CompletionPort<Unit>> what,
      CompletionPort<Unit> port) {
    if (left.hasNext()) {
      what.accept(left.next(), port.then(done -> each(left, what, port)));
    } else {
      port.complete(Completion.done());
    }
  }

  private void round(long left, CompletionPort<Unit> port) {
    if (left <= 0) {
      port.complete(Completion.done());
      return;
    }
    PageFile.Place place = log().place();
    long page = place.firstPage() + Math.floorMod(left, LOG_PAGES - ROUND_PAGES);
    log()
        .write(
            page,
            loaded(page, ROUND_PAGES),
            port.then(done -> log().flush(port.then(flushed -> round(left - ROUND_PAGES, port)))));
  }

  private ByteBuffer loaded(long page, int pages) {
    ByteBuffer bytes = ByteBuffer.allocate(pages * PageContent.BYTES);
    for (int i = 0; i < pages; i++) {
      content.put(page + i, 0, bytes);
    }
    return bytes.flip();
  }

  private void fill(PageFile file, CompletionPort<Unit> port) {
    fill(file, file.place().firstPage(), port);
  }

  private void fill(PageFile file, long page, CompletionPort<Unit> port) {
    int pages = (int) Math.min(LOADED_AT_ONCE, file.place().endPage() - page);
    if (pages == 0) {
      file.flush(port);
      return;
    }
    file.write(page, loaded(page, pages), port.then(done -> fill(file, page + pages, port)));
  }
}
