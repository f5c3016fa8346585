package dev.upcall.bench.ecommerce.volume;

import dev.upcall.bench.ecommerce.machine.GroupCommit;
import dev.upcall.fsm.Dispatcher;
import java.util.stream.LongStream;

/**
 * The log of the database in a file that comes round: groups of commits, each in pages of its own
 * and durable. Dispatcher's thread only.
 */
final class RedoLog {
  private final FileWriter writer;
  private final Versions versions;
  private final GroupCommit commits;
  private int at;
  private long writtenPages;

  RedoLog(Dispatcher dispatcher, FileWriter writer, Versions versions) {
    this.writer = writer;
    this.versions = versions;
    this.commits = new GroupCommit(dispatcher, this::write);
  }

  /** A transaction ends: {@code durable} runs when the log has it. */
  void commit(int bytes, Runnable durable) {
    commits.commit(bytes, durable);
  }

  /** How many pages were written. */
  long writtenPages() {
    return writtenPages;
  }

  private void write(int bytes, Runnable durable) {
    int pages = (bytes + PageContent.BYTES - 1) / PageContent.BYTES;
    at = at + pages > TableFiles.LOG_PAGES ? 0 : at;
    long first = writer.file().place().firstPage() + at;
    at += pages;
    LongStream.range(first, first + pages).forEach(versions::change);
    writer.write(
        LongStream.range(first, first + pages).boxed().toList(),
        () -> {
          writtenPages += pages;
          durable.run();
        });
  }
}
