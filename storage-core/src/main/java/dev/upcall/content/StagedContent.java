package dev.upcall.content;

/**
 * Finished new content that no segment has yet. Either one change takes it or {@link #discard}
 * frees it.
 */
public interface StagedContent {
  /** How many bytes. */
  long sizeBytes();

  /** How many blocks of frames it holds until then. */
  long frameBlocks();

  /** Frees it; harmless when a committed change has taken it. */
  void discard();
}
