package dev.upcall.segment;

import dev.upcall.buffer.BufferManager;
import dev.upcall.coding.Codecs;
import dev.upcall.config.Compression;
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
 * @param compression how content is stored that does not fit one frame
 * @param lately how earlier content fared that was to be compressed
 */
public record StagerParts(
    Dispatcher dispatcher,
    BufferManager buffers,
    ContentPlacer placer,
    LayoutBuilder.Parts layouts,
    StagerConfig config,
    Compression compression,
    Lately lately) {
  /** How the latest content fared, whoever brought it. Dispatcher's thread only. */
  public static final class Lately {
    private int untried = 1;

    /** How many units were not to be tried behind the next that did not shrink. */
    int untried() {
      return untried;
    }

    void note(int units) {
      untried = units;
    }
  }

  /** The same for content that is stored otherwise. */
  public StagerParts with(Compression other) {
    return other == compression
        ? this
        : new StagerParts(dispatcher, buffers, placer, layouts, config, other, lately);
  }

  /** The parts that read and write compressed content. */
  public Codecs codecs() {
    return buffers.coding().codecs();
  }

  /** How the frames of new content reach their places. */
  ContentWrites writes(LayoutBuilder layout, ContentWrites.Written written) {
    UnitCoder coder = coder();
    return coder == null
        ? new GatheredWrites(this, layout, written)
        : new CodedWrites(placer, layout, coder, written);
  }

  /** Codes new content; null where nothing is to be coded, or nothing can be. */
  private @Nullable UnitCoder coder() {
    if (compression == Compression.NONE) {
      return null;
    }
    UnitCodec codec = codecs().encoder();
    return codec == null ? null : new UnitCoder(this, codec);
  }
}
