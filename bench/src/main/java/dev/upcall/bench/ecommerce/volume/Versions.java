package dev.upcall.bench.ecommerce.volume;

/** How often each page was changed, and as which change left it it was written. One thread. */
final class Versions {
  private final int[] present;
  private final int[] given;
  private final int[] written;

  /** Of so many pages, as they were loaded. */
  Versions(long pages) {
    int count = Math.toIntExact(pages);
    this.present = new int[count];
    this.given = new int[count];
    this.written = new int[count];
  }

  /** Of how many pages. */
  int pages() {
    return present.length;
  }

  /** A page has changed once more. */
  void change(long page) {
    present[(int) page]++;
  }

  /** A page goes to its file as it is now. */
  int give(long page) {
    given[(int) page] = present[(int) page];
    return given[(int) page];
  }

  /** What was given last is in the file. */
  void isWritten(long page) {
    written[(int) page] = given[(int) page];
  }

  /** As which change left it a page is. */
  int present(long page) {
    return present[(int) page];
  }

  /** As which change left it a page is in its file, if not as a later one. */
  int written(long page) {
    return written[(int) page];
  }
}
