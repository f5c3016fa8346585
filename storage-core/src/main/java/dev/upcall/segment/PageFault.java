package dev.upcall.segment;

/** Ways in which what reads tree pages is broken on purpose: tests must notice each of them. */
public enum PageFault {
  /** A page whose first copy is damaged is lost. */
  SECOND_COPY_NOT_READ,
  /** Other threads take the tree that was opened last for the one whose root they have. */
  SHARED_ROOT_NOT_COMPARED
}
