package dev.upcall.segment;

import dev.upcall.buffer.BufferManager;
import dev.upcall.coding.Coding;
import dev.upcall.content.Compression;
import dev.upcall.content.UnitCodec;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.segment.layout.LayoutBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all stagers share.
 *
 * @param dispatcher whose FIFO carries completions
 * @param buffers frames
 * @param placer writes them
 * @param layouts builds extent trees
 * @param config limits
 */
public record StagerParts(
    Dispatcher dispatcher,
    BufferManager buffers,
    ContentPlacer placer,
    LayoutBuilder.Parts layouts,
    StagerConfig config) {
  /** What codes new content; null where nothing is to be coded, or nothing can be. */
  @Nullable UnitCoder coder(Compression degree) {
    if (degree == Compression.NONE) {
      return null;
    }
    Coding coding = buffers.coding();
    UnitCodec codec = coding.codecs().encoder();
    return codec == null
        ? null
        : new UnitCoder(buffers, coding.workers(), codec, degree, coding.codecs().unitBlocks());
  }
}
