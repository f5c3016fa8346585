package dev.upcall.bench.ecommerce.volume;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes pages of one file and flushes them as one; one list of them at a time. Dispatcher's thread
 * only.
 */
final class FileWriter {
  private static final int MOST_TOGETHER = 64;

  private final PageFile file;
  private final PageContent content = new PageContent();
  private final Versions versions;
  private final Trouble trouble;
  private List<Long> pages = List.of();
  private Runnable then = () -> {};

  FileWriter(PageFile file, Versions versions, Trouble trouble) {
    this.file = file;
    this.versions = versions;
    this.trouble = trouble;
  }

  PageFile file() {
    return file;
  }

  boolean isBusy() {
    return !pages.isEmpty();
  }

  /**
   * Writes pages as they are now, in ascending order, one at least.
   *
   * @param written runs when they are durable
   */
  void write(List<Long> ascending, Runnable written) {
    pages = ascending;
    then = written;
    write(0);
  }

  /** Writes pages from one of them on, a run at a time. */
  private void write(int from) {
    if (from == pages.size()) {
      file.flush(port("flush", this::flushed));
      return;
    }
    long first = pages.get(from);
    int to = from + 1;
    while (to < pages.size() && to - from < MOST_TOGETHER && pages.get(to) == first + to - from) {
      to++;
    }
    ByteBuffer bytes = ByteBuffer.allocate((to - from) * PageContent.BYTES);
    for (long page = first; bytes.hasRemaining(); page++) {
      content.put(page, versions.give(page), bytes);
    }
    int next = to;
    file.write(first, bytes.flip(), port("write", () -> write(next)));
  }

  private CompletionPort<Unit> port(String what, Runnable done) {
    return trouble.port(what + " of " + file.place().path(), unit -> done.run());
  }

  private void flushed() {
    pages.forEach(versions::isWritten);
    pages = List.of();
    then.run();
  }
}
