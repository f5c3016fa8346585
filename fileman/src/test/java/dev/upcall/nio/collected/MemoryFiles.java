package dev.upcall.nio.collected;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory, with all their commits, which are refused when a test says so. Every id has a
 * file, which is empty at first. Any threads.
 */
class MemoryFiles implements FilesById {
  /** What each commit has written: ids and bytes. */
  final List<String> written = new ArrayList<>();

  private final Map<Long, byte[]> byId = new LinkedHashMap<>();
  private boolean refusesWrites;
  private @Nullable Throwable failsBy;
  private int commitsWithoutPieces;
  private Failure why = new Failure.Busy("the test");

  /** Whether nothing is written from now on. */
  synchronized void refusesWrites(boolean now) {
    refusesWrites = now;
  }

  /** What writes throw from now on; null if they do not. */
  synchronized void fails(@Nullable Throwable by) {
    failsBy = by;
  }

  /** Commits that were asked for with nothing to write. */
  synchronized int commitsWithoutPieces() {
    return commitsWithoutPieces;
  }

  /** Why they are refused. */
  synchronized void why(Failure failure) {
    why = failure;
  }

  synchronized void content(long id, byte[] bytes) {
    byId.put(id, bytes);
  }

  synchronized byte[] content(long id) {
    return byId.getOrDefault(id, new byte[0]);
  }

  @Override
  public @Nullable FileInfo find(StorePath path, LinkPolicy links) {
    throw new AssertionError("nobody looks");
  }

  @Override
  public long sizeBytes(long id) {
    return content(id).length;
  }

  @Override
  public int read(long id, long offset, ByteBuffer into) {
    byte[] content = content(id);
    int count = (int) Math.min(into.remaining(), content.length - offset);
    if (count <= 0) {
      return -1;
    }
    into.put(content, (int) offset, count);
    return count;
  }

  @Override
  public CompletableFuture<Integer> readLater(long id, long offset, ByteBuffer into) {
    return CompletableFuture.completedFuture(read(id, offset, into));
  }

  @Override
  public synchronized long write(long id, List<Piece> pieces, Durability durability) {
    commitsWithoutPieces += pieces.isEmpty() ? 1 : 0;
    checkWrites();
    for (Piece piece : pieces) {
      byte[] content = content(id);
      int at = Math.toIntExact(piece.offset() == AT_END ? content.length : piece.offset());
      int count = piece.bytes().remaining();
      content = Arrays.copyOf(content, Math.max(content.length, at + count));
      piece.bytes().duplicate().get(content, at, count);
      byId.put(id, content);
      written.add(id + ":" + count);
    }
    return content(id).length;
  }

  @Override
  public synchronized void change(long id, MetadataChange change, Durability durability) {
    checkWrites();
    written.add(id + ":" + change.mode() + change.modifiedNanos());
  }

  @Override
  public void commit(long id, Batch batch, CompletionPort<Unit> port) {
    try {
      MetadataChange metadata = batch.metadata();
      if (metadata == null) {
        write(id, batch.pieces(), Durability.ASYNC);
      } else {
        change(id, metadata, Durability.ASYNC);
      }
      port.complete(Completion.done());
    } catch (UpcallException failed) {
      port.complete(Completion.failed(failed.failure()));
    }
  }

  private void checkWrites() {
    switch (failsBy) {
      case RuntimeException exception -> throw exception;
      case Error error -> throw error;
      case null, default -> {}
    }
    if (refusesWrites) {
      throw UpcallException.of(why);
    }
  }

  @Override
  public void truncate(long id, long sizeBytes, Durability durability) {
    throw new AssertionError("nobody cuts");
  }

  @Override
  public void flush() {
    throw new AssertionError("nobody forces");
  }

  @Override
  public long roomBytes() {
    return Long.MAX_VALUE / 2;
  }
}
