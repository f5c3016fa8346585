package dev.upcall.bench.ecommerce;

/**
 * A table and its index as they lie on the volume: rows in pages of 4 KiB with a tenth more room
 * for appends, then the leaves of the index, 200 keys each. Rows that are appended beyond that room
 * come round to the begin of it.
 */
public final class Table {
  /** Bytes of a page. */
  public static final int PAGE_BYTES = 4096;

  private static final int KEYS_OF_LEAF = 200;
  private static final int SLACK_PART = 10;

  private final String name;
  private final long loadedRows;
  private final double rowBytes;
  private final long firstPage;
  private final long roomRows;
  private long rows;

  /**
   * A loaded table.
   *
   * @param rows how many it has
   * @param rowBytes of one on the volume
   * @param firstPage where it lies
   */
  Table(String name, long rows, double rowBytes, long firstPage) {
    this.name = name;
    this.loadedRows = rows;
    this.rows = rows;
    this.rowBytes = rowBytes;
    this.firstPage = firstPage;
    this.roomRows = rows + Math.max(1, rows / SLACK_PART);
  }

  /** Its name in the paper. */
  public String name() {
    return name;
  }

  /** Rows that were loaded. */
  public long rows() {
    return loadedRows;
  }

  /** Bytes of all rows that were loaded. */
  public double loadedBytes() {
    return loadedRows * rowBytes;
  }

  /** Where it begins. */
  public long firstPage() {
    return firstPage;
  }

  /** Pages of rows, room for appends included. */
  public long rowPages() {
    return (long) (roomRows * rowBytes / PAGE_BYTES) + 1;
  }

  /** Pages of rows that were loaded. */
  public long loadedPages() {
    return (long) (loadedRows * rowBytes / PAGE_BYTES) + 1;
  }

  /** The page behind its index. */
  public long endPage() {
    return firstPage + rowPages() + roomRows / KEYS_OF_LEAF + 1;
  }

  /** Whether a page is one of its rows, not of its index. */
  public boolean holdsRow(long page) {
    return page >= firstPage && page < firstPage + rowPages();
  }

  /** The page of a row's first byte. */
  public long page(long row) {
    return firstPage + (long) (row * rowBytes / PAGE_BYTES);
  }

  /** The page of a row's last byte: rows do not end where pages do. */
  public long lastPage(long row) {
    return firstPage + (long) (((row + 1) * rowBytes - 1) / PAGE_BYTES);
  }

  /** The page of the index that names a row. */
  public long leaf(long row) {
    return firstPage + rowPages() + row / KEYS_OF_LEAF;
  }

  /** A part of the table, from 0 to 1 exclusive, as a row. */
  public long rowAt(double part) {
    return Math.min((long) (part * loadedRows), loadedRows - 1);
  }

  /** One more row. */
  public long append() {
    long row = rows++;
    return row < roomRows ? row : loadedRows + (row - loadedRows) % (roomRows - loadedRows);
  }

  /** How many rows were appended. */
  public long appended() {
    return rows - loadedRows;
  }
}
