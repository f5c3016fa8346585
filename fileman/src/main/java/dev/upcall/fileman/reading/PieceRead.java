package dev.upcall.fileman.reading;

import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole file in pieces that somebody puts together elsewhere: copied on the dispatcher's thread,
 * a piece in each upcall. The file is closed when it completes, whoever hears of that.
 */
public final class PieceRead implements CompletionPort<OpenFile> {
  private static final int PIECE_BYTES = 64 << 10;

  private final StorePath path;
  private final long maxBytes;
  private final CompletionPort<List<byte[]>> port;
  private final List<byte[]> pieces = new ArrayList<>();
  private @Nullable PinnedContent content;
  private long sizeBytes;
  private long filled;

  /**
   * A read to which the file must now be opened.
   *
   * @param maxBytes a larger file is {@code TooLarge}
   */
  public PieceRead(StorePath path, long maxBytes, CompletionPort<List<byte[]>> port) {
    this.path = path;
    this.maxBytes = maxBytes;
    this.port = port;
  }

  /** Puts together what was copied. */
  public static byte[] whole(List<byte[]> pieces) {
    if (pieces.size() == 1) {
      return pieces.getFirst();
    }
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(piece -> piece.length).sum());
    pieces.forEach(all::put);
    return all.array();
  }

  @Override
  public void complete(Completion<OpenFile> opened) {
    switch (opened) {
      case Completion.Failed<OpenFile> failed -> port.complete(failed.cast());
      case Completion.Done<OpenFile>(OpenFile file) -> {
        content = file.content();
        sizeBytes = file.info().sizeBytes();
        if (content == null) {
          port.complete(Completion.failed(new Failure.IsADirectory(path.toString())));
        } else if (sizeBytes > maxBytes) {
          end(Completion.failed(new Failure.TooLarge(path.toString(), sizeBytes, maxBytes)));
        } else {
          next();
        }
      }
    }
  }

  private void next() {
    if (filled == sizeBytes) {
      end(Completion.done(pieces));
      return;
    }
    int length = (int) Math.min(PIECE_BYTES, sizeBytes - filled);
    open()
        .read(
            filled,
            length,
            IoClass.FOREGROUND_READ,
            slice -> {
              switch (SliceCopy.copied(slice)) {
                case Completion.Failed<byte[]> failed -> end(failed.cast());
                case Completion.Done<byte[]>(byte[] piece) -> {
                  Invariants.check(piece.length > 0, "a pinned version ended early", path);
                  pieces.add(piece);
                  filled += piece.length;
                  next();
                }
              }
            });
  }

  private PinnedContent open() {
    return Invariants.present(content, "the file that is read");
  }

  private void end(Completion<List<byte[]>> completion) {
    open().close();
    port.complete(completion);
  }
}
