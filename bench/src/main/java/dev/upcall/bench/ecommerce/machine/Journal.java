package dev.upcall.bench.ecommerce.machine;

/** How a file system writes down that files have changed, besides their data. */
public enum Journal {
  /** In its place, later (ext2). */
  NONE("no journal"),
  /** Before a commit is done, block by block into a journal, and later in its place (ext3). */
  BLOCK("block journal"),
  /** Many changes together in one run of a journal, and later in its place (ReiserFS). */
  BATCHED("batched journal"),
  /**
   * Our store: a commit is one durable write of data and metadata into the log, pages get new
   * places one behind the other, and a checkpoint writes where they are.
   */
  LOG("our log");

  private final String label;

  Journal(String label) {
    this.label = label;
  }

  /** For tables. */
  public String label() {
    return label;
  }
}
