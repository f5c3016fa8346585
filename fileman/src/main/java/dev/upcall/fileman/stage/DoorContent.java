package dev.upcall.fileman.stage;

import dev.upcall.FileInfo;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.SliceCopy;
import dev.upcall.stage.StageContent;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** One version of a file, held, through the door of stages. */
final class DoorContent implements StageContent {
  /** The most of one read: some microseconds' copying on the dispatcher's thread. */
  static final int MAX_PIECE_BYTES = 64 << 10;

  private final Asker asker;
  private final ReadSide side;

  DoorContent(Asker asker, ReadSide side) {
    this.asker = asker;
    this.side = side;
  }

  @Override
  public FileInfo info() {
    return side.info();
  }

  @Override
  public CompletionStage<Integer> read(long offset, ByteBuffer into) {
    return piece(asker, side::read, offset, into);
  }

  /** Whatever a piece can be read from. */
  interface Source {
    void read(long offset, int maxBytes, CompletionPort<ContentSlice> port);
  }

  /** Reads a piece, which is copied on the dispatcher's thread. */
  static CompletableFuture<Integer> piece(
      Asker asker, Source source, long offset, ByteBuffer into) {
    CallersBuffer.checkFillable(Objects.requireNonNull(into, "into"));
    if (!into.hasRemaining()) {
      return CompletableFuture.completedFuture(0);
    }
    int wanted = Math.min(into.remaining(), MAX_PIECE_BYTES);
    return asker.ask(
        port ->
            source.read(
                offset,
                wanted,
                completion -> port.complete(completion.map(slice -> count(into, slice)))));
  }

  private static int count(ByteBuffer into, ContentSlice slice) {
    int count = SliceCopy.moveTo(into, slice);
    return count == 0 ? -1 : count;
  }

  @Override
  public Flow.Publisher<ByteBuffer> publish() {
    return new ContentPublisher(() -> CompletableFuture.completedFuture(this), /* closes= */ false);
  }

  @Override
  public CompletionStage<Void> close() {
    return asker.tell(side::close);
  }
}
