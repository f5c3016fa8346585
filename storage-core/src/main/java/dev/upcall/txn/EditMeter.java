package dev.upcall.txn;

/** What edits in the middle of segments cost, since the opening. Dispatcher's thread only. */
public final class EditMeter {
  private long edits;
  private long copiedBytes;
  private long pendingPieces;
  private long unusedBytes;

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

  /** Maps of pieces that nobody has committed have so many pieces more; negative: fewer. */
  public void pending(long morePieces) {
    pendingPieces += morePieces;
  }

  /** Edits that were committed leave so many bytes more of blocks unused; negative: fewer. */
  public void unused(long moreBytes) {
    unusedBytes += moreBytes;
  }

  /** How many edits. */
  public long edits() {
    return edits;
  }

  /** How many bytes were copied. */
  public long copiedBytes() {
    return copiedBytes;
  }

  /** How many pieces handles and requests have made now that are in no commit. */
  public long pendingPieces() {
    return pendingPieces;
  }

  /**
   * How many bytes of the blocks that pieces name no piece has, more than at the opening: by what
   * edits have done. What goes with a whole file is not taken out.
   */
  public long unusedBytes() {
    return unusedBytes;
  }
}
