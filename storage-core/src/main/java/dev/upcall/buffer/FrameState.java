package dev.upcall.buffer;

/** Where a frame stands. */
enum FrameState {
  /** It has no memory. */
  FREE,
  /** Its content is on its way from the disk; it can be found, and waited for. */
  LOADING,
  /** It has been handed out to be filled; it has no address, nobody can find it. */
  PRIVATE,
  /** It holds the verified content of its blocks; it can be found, and evicted when unpinned. */
  VALID,
  /** Its blocks were freed or its load failed; nobody finds it any more, its holders keep it. */
  DETACHED
}
