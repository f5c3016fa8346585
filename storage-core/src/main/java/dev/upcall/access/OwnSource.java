package dev.upcall.access;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.PieceMap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A segment in the middle of its edits, of which a range is copied elsewhere into itself. */
final class OwnSource implements RangeSource {
  private final RangeEditor editor;

  OwnSource(RangeEditor editor) {
    this.editor = editor;
  }

  @Override
  public @Nullable PieceMap pieces() {
    return editor.pieces();
  }

  /** What lived there was moved to a block before it was edited. */
  @Override
  public boolean isInline() {
    return false;
  }

  @Override
  public Run run(long block) {
    return editor.space().content().run(block);
  }

  @Override
  public void read(long offset, ByteBuffer into, CompletionPort<Unit> port) {
    editor.read(offset, into, port);
  }

  @Override
  public void readSpace(long at, int mostBytes, ByteBuffer into, CompletionPort<Unit> port) {
    editor.space().read(at, mostBytes, into, port);
  }
}
