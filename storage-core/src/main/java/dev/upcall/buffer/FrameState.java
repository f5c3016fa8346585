package dev.upcall.buffer;

import dev.upcall.fsm.DescribedState;

/** Where a frame stands. */
enum FrameState implements DescribedState {
  /** It has no memory. */
  FREE("has no memory"),
  /** Its content is on its way from the disk; it can be found, and waited for. */
  LOADING("content is on its way from the disk"),
  /** It has been handed out to be filled; it has no address, nobody can find it. */
  PRIVATE("handed out to be filled, not to be found"),
  /** It holds the verified content of its blocks; it can be found, and evicted when unpinned. */
  VALID("holds clean content, evictable when unpinned"),
  /** Its blocks were freed or its load failed; nobody finds it any more, its holders keep it. */
  DETACHED("not to be found any more, kept by its holders");

  private final String description;

  FrameState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
