package dev.upcall.txn;

/** What edits in the middle of segments cost, since the opening. Dispatcher's thread only. */
public final class EditMeter {
  private long edits;
  private long copiedBytes;

  /** Nothing so far. */
  public EditMeter() {}

  /** An edit has changed a map of pieces, whether or not it was committed then. */
  public void edited() {
    edits++;
  }

  /** So many bytes that were there already got another place with an edit, or to lie together. */
  public void copied(long bytes) {
    copiedBytes += bytes;
  }

  /** How many edits. */
  public long edits() {
    return edits;
  }

  /** How many bytes were copied. */
  public long copiedBytes() {
    return copiedBytes;
  }
}
