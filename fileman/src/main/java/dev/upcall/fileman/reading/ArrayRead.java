package dev.upcall.fileman.reading;

import dev.upcall.StorePath;
import dev.upcall.UpcallReads;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.HeapBudget;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A whole file in an array of its own: copied on the dispatcher's thread, a piece in each upcall,
 * so that others have their turns however large it is, and no more of it than a piece is brought to
 * memory for it at once. The file is closed when it completes, whoever hears of that.
 */
public final class ArrayRead implements CompletionPort<ReadSide> {
  private static final int PIECE_BYTES = 64 << 10;

  private final StorePath path;
  private final LargeWork work;
  private final Room room;
  private final CompletionPort<byte[]> port;
  private @Nullable ReadSide side;
  private byte[] bytes = {};
  private int filled;

  /**
   * The part of the heap that is taken for a file.
   *
   * @param hold given back by who hands the result over
   * @param times so many bytes for each of the file's
   */
  public record Room(HeapBudget.Hold hold, int times) {}

  /**
   * A read to which the file must now be opened.
   *
   * @param work makes the array of a large file
   * @param room taken before that
   */
  public ArrayRead(StorePath path, LargeWork work, Room room, CompletionPort<byte[]> port) {
    this.path = path;
    this.work = work;
    this.room = room;
    this.port = port;
  }

  @Override
  public void complete(Completion<ReadSide> opened) {
    switch (opened) {
      case Completion.Failed<ReadSide> failed -> port.complete(failed.cast());
      case Completion.Done<ReadSide>(ReadSide file) -> {
        side = file;
        make(file.info().sizeBytes());
      }
    }
  }

  private void make(long sizeBytes) {
    if (sizeBytes > UpcallReads.MAX_ARRAY_BYTES) {
      String what = path.toString();
      end(Completion.failed(new Failure.TooLarge(what, sizeBytes, UpcallReads.MAX_ARRAY_BYTES)));
      return;
    }
    int length = (int) sizeBytes;
    room.hold()
        .take(
            room.times() * sizeBytes,
            path,
            CompletionPort.of(
                _ ->
                    work.<byte[]>run(
                        path, length, () -> Completion.done(new byte[length]), this::made),
                refused -> end(Completion.failed(refused))));
  }

  private void made(Completion<byte[]> array) {
    switch (array) {
      case Completion.Failed<byte[]> noRoom -> end(noRoom);
      case Completion.Done<byte[]>(byte[] whole) -> {
        bytes = whole;
        next();
      }
    }
  }

  private void next() {
    if (filled == bytes.length) {
      end(Completion.done(bytes));
    } else {
      open().read(filled, Math.min(PIECE_BYTES, bytes.length - filled), this::arrived);
    }
  }

  private void arrived(Completion<ContentSlice> read) {
    switch (read) {
      case Completion.Failed<ContentSlice> failed -> end(failed.cast());
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        ByteBuffer into = ByteBuffer.wrap(bytes, filled, bytes.length - filled);
        int count = SliceCopy.moveTo(into, slice);
        Invariants.check(count > 0, "a pinned version ended early", path);
        filled += count;
        next();
      }
    }
  }

  private ReadSide open() {
    return Invariants.present(side, "the file that is read");
  }

  private void end(Completion<byte[]> completion) {
    open().close();
    port.complete(completion);
  }
}
