package dev.upcall.segment;

import org.jspecify.annotations.Nullable;

/** The content of one version of a segment that has no place in its layout. */
public sealed interface Unplaced permits Overlay, CopiedBlocks, ImagedBlocks, Layered {
  /** A run of content blocks. */
  sealed interface Piece permits Overlay.Part, CopiedBlocks.Copy, ImagedBlocks.Run, Layered.Cut {
    /** The first content block. */
    long block();

    /** The first content block behind it. */
    long end();
  }

  /** The first piece that ends behind a content block, or null. */
  @Nullable Piece ceiling(long block);

  /** Whether there is nothing. */
  boolean isEmpty();

  /** Takes one more hold of the memory; nothing where that is the collector's. */
  default Unplaced retain() {
    return this;
  }

  /** Gives one hold back. */
  default void release() {}
}
