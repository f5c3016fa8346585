package dev.upcall.segment;

import dev.upcall.buffer.BufferManager;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.segment.layout.LayoutBuilder;

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
    StagerConfig config) {}
