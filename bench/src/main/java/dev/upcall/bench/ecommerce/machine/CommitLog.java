package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import java.util.concurrent.TimeUnit;

/**
 * The log of the database, with group commit, and the journal of the file system that it is a file
 * of. Three regions one behind the other: log, journal, and the metadata of files in their place;
 * of our store the first is where things are placed, the second its log.
 */
final class CommitLog {
  /** Pages of log, of journal and of metadata. */
  static final int LOG_PAGES = 1024;

  static final int JOURNAL_PAGES = 512;
  static final int METADATA_PAGES = 8;

  /** All of them. */
  static final int PAGES = LOG_PAGES + JOURNAL_PAGES + METADATA_PAGES;

  private static final long BLOCK_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long BATCH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** A descriptor, a block of inodes and a commit record. */
  private static final int JOURNALED_PAGES = 3;

  private final Journal journal;
  private final PageIo io;
  private final Dispatcher dispatcher;
  private final long firstPage;
  private final GroupCommit group;
  private boolean isChanged;
  private long journaledSecond = -1;
  private int logAt;
  private int journalAt;

  /** Of our log: pages that are in no other place, and where the next ones go. */
  private int toPlace;

  private int placedAt;

  CommitLog(Journal journal, PageIo io, Dispatcher dispatcher, long firstPage) {
    this.journal = journal;
    this.io = io;
    this.dispatcher = dispatcher;
    this.firstPage = firstPage;
    this.group = new GroupCommit(dispatcher, this::write);
    dispatcher.schedule(settleNanos(), this::settle);
  }

  private long settleNanos() {
    return journal == Journal.BLOCK ? BLOCK_NANOS : BATCH_NANOS;
  }

  /** A transaction ends: {@code durable} runs when the log has it. */
  void commit(int bytes, Runnable durable) {
    group.commit(bytes, durable);
  }

  /** Files have changed, and nobody waits until that lasts. */
  void changed() {
    isChanged = true;
  }

  private void write(int bytes, Runnable durable) {
    int pages = (bytes + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    isChanged = true;
    logAt = logAt + pages > LOG_PAGES ? 0 : logAt;
    long at = firstPage + logAt;
    logAt += pages;
    if (journal == Journal.LOG) {
      writeOnce(pages, durable);
    } else {
      io.write(at, pages, IoClass.LOG, () -> logged(durable));
    }
  }

  /** Into the one log, which lasts; what the database calls its log is placed later. */
  private void writeOnce(int pages, Runnable durable) {
    toPlace += pages;
    journalAt = journalAt + pages > JOURNAL_PAGES ? 0 : journalAt;
    long at = firstPage + LOG_PAGES + journalAt;
    journalAt += pages;
    io.writeDurably(at, pages, IoClass.LOG, durable);
  }

  /** A file's time of change has seconds: the first commit of one changes metadata. */
  private void logged(Runnable durable) {
    long second = dispatcher.clock().monotonicNanos() / TimeUnit.SECONDS.toNanos(1);
    if (journal == Journal.BLOCK && second != journaledSecond) {
      journaledSecond = second;
      journal(JOURNALED_PAGES, durable);
    } else {
      durable.run();
    }
  }

  private void journal(int pages, Runnable then) {
    journalAt = journalAt + pages > JOURNAL_PAGES ? 0 : journalAt;
    long at = firstPage + LOG_PAGES + journalAt;
    journalAt += pages;
    io.write(at, pages, IoClass.LOG, then);
  }

  /** What is known of files goes to its place; of batches only now into the journal. */
  private void settle() {
    if (isChanged) {
      isChanged = false;
      if (journal == Journal.LOG) {
        checkpoint();
      } else if (journal == Journal.NONE) {
        writeInPlace();
      } else {
        journal(METADATA_PAGES + 2, this::writeInPlace);
      }
    }
    dispatcher.schedule(settleNanos(), this::settle);
  }

  /** What is only in the log gets its place, and metadata with it, in runs. */
  private void checkpoint() {
    int left = toPlace + METADATA_PAGES;
    toPlace = 0;
    while (left > 0) {
      int pages = Math.min(left, PageIo.MAX_PAGES);
      placedAt = placedAt + pages > LOG_PAGES ? 0 : placedAt;
      io.write(firstPage + placedAt, pages, IoClass.BACKGROUND, () -> {});
      placedAt += pages;
      left -= pages;
    }
  }

  private void writeInPlace() {
    long at = firstPage + LOG_PAGES + JOURNAL_PAGES;
    for (int i = 0; i < METADATA_PAGES; i += 2) {
      io.write(at + i, 1, IoClass.BACKGROUND, () -> {});
    }
  }
}
