package dev.upcall.segment.paging;

/** Ways in which a loader of tree pages is broken on purpose: tests must notice each of them. */
public enum PageFault {
  /** A page whose first copy is damaged is lost. */
  SECOND_COPY_NOT_READ,
  /**
   * The only copy of a page is believed when it is read again, as if another copy said the same.
   */
  ONLY_COPY_BELIEVED_TWICE
}
