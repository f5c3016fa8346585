package dev.upcall.pressure;

/**
 * One row of the table of a store's thresholds. The unit is that of what is scarce: blocks, pages,
 * per cent, or those who wait.
 *
 * @param workAt from this level on work begins that makes room
 * @param urgentAt from this level on that work goes at full speed, whoever reads meanwhile
 * @param limit what would bring the level above it waits
 */
public record Thresholds(long workAt, long urgentAt, long limit) {
  /** Of what nothing is known yet. */
  static final Thresholds NONE = of(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** So few dirty pages are not worth a checkpoint. */
  private static final long FEW_DIRTY_PAGES = 64;

  private static Thresholds of(long workAt, long urgentAt, long limit) {
    return new Thresholds(workAt, urgentAt, limit);
  }

  /** The same where nobody waits. */
  public Thresholds withoutLimit() {
    return of(workAt, urgentAt, Long.MAX_VALUE);
  }

  /** From this level on work that can be done ahead is. */
  public long halfWay() {
    return Math.max(1, workAt / 2);
  }

  /** Blocks of the log: a quarter, three eighths, seven eighths; the last eighth is for marks. */
  public static Thresholds ofLog(int blocks) {
    return of(Math.max(1, blocks / 4), blocks * 3L / 8, blocks - Math.max(1, blocks / 8));
  }

  /** Unplaced blocks: a quarter of the frames, three eighths, half. */
  public static Thresholds ofUnplaced(int frames) {
    return of(Math.max(1, frames / 4), Math.max(1, frames * 3L / 8), Math.max(2, frames / 2));
  }

  /**
   * Dirty pages: half of the memory for pages, three quarters, all of it. Without this limit they
   * would take as much heap as the log has changes, and the next opening would read as many.
   */
  public static Thresholds ofDirtyPages(long pages) {
    long workAt = Math.max(FEW_DIRTY_PAGES, pages / 2);
    return of(workAt, Math.max(workAt, pages * 3 / 4), 2 * workAt);
  }

  /**
   * Per cent of the space of a volume that does not grow which only a checkpoint brings: a third,
   * half. Whoever finds no space at all waits for a whole checkpoint.
   */
  public static Thresholds ofSpace() {
    return of(33, 50, Long.MAX_VALUE);
  }

  /**
   * Blocks that all snapshots together may have to copy, as much as half of the frames hold. There
   * is work only for those who wait.
   */
  public static Thresholds ofCopies(int frames) {
    return of(Long.MAX_VALUE, Long.MAX_VALUE, ofUnplaced(frames).limit());
  }

  /** Requests that wait elsewhere, or work of the store itself: urgent from the first one on. */
  public static Thresholds ofWaiters() {
    return of(1, 1, Long.MAX_VALUE);
  }
}
