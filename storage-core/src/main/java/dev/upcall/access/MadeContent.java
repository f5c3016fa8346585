package dev.upcall.access;

import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was made of some content in private.
 *
 * @param sizeBytes how many bytes it has
 * @param pieces how blocks make it up
 * @param removed the blocks that some edit took out of it, of the version edited or newer; may get
 *     more
 * @param unusedBytes how many bytes more of the blocks that pieces name no piece has
 * @param isCut whether it got smaller, and next to nothing was written for that
 */
record MadeContent(
    long sizeBytes,
    @Nullable PieceMap pieces,
    List<LayoutEditor.Range> removed,
    long unusedBytes,
    boolean isCut) {}
