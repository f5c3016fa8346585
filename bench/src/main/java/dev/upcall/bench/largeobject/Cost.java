package dev.upcall.bench.largeobject;

/**
 * What was asked of the disk. A call costs 33 ms (table 2: a read of 100 bytes takes 37 ms, one
 * page of it 4), and each page 4 ms (section 4: 1 KB a millisecond).
 *
 * @param reads calls
 * @param pagesRead by them
 * @param writes calls
 * @param pagesWritten by them
 */
public record Cost(long reads, long pagesRead, long writes, long pagesWritten) {
  /** Nothing. */
  public static final Cost NONE = new Cost(0, 0, 0, 0);

  private static final long CALL_MILLIS = 33;
  private static final long PAGE_MILLIS = 4;

  Cost plusRead(int pages) {
    return new Cost(reads + 1, pagesRead + pages, writes, pagesWritten);
  }

  Cost plusWrite(int pages) {
    return new Cost(reads, pagesRead, writes + 1, pagesWritten + pages);
  }

  /** What came on top of an earlier sum. */
  public Cost since(Cost earlier) {
    return new Cost(
        reads - earlier.reads,
        pagesRead - earlier.pagesRead,
        writes - earlier.writes,
        pagesWritten - earlier.pagesWritten);
  }

  /** How long the disk takes for it. */
  public long millis() {
    return CALL_MILLIS * (reads + writes) + PAGE_MILLIS * (pagesRead + pagesWritten);
  }
}
