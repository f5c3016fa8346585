package dev.upcall.nio.collected;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files in memory, with all their commits, which are refused when a test says so. A file that
 * nobody has made is there by its id, and empty. Any threads.
 */
class MemoryFiles implements FilesById {
  private static final long FIRST_NEW_ID = 100;

  /** What was made by each commit: last names. */
  final List<List<String>> made = new ArrayList<>();

  /** What each commit has written: ids and bytes. */
  final List<String> written = new ArrayList<>();

  private final Map<Long, byte[]> byId = new LinkedHashMap<>();
  private final Map<StorePath, Long> byName = new LinkedHashMap<>();
  private Predicate<List<NewFile>> refusesNew = _ -> false;
  private boolean refusesWrites;
  private Failure why = new Failure.Busy("the test");

  /** Which files are not made from now on. */
  synchronized void refusesNew(Predicate<List<NewFile>> which) {
    refusesNew = which;
  }

  /** Whether nothing is written from now on. */
  synchronized void refusesWrites(boolean now) {
    refusesWrites = now;
  }

  /** Why they are refused. */
  synchronized void why(Failure failure) {
    why = failure;
  }

  /** Somebody else has made a file. */
  synchronized void takes(StorePath name) {
    byName.put(name, 1L);
  }

  synchronized void content(long id, byte[] bytes) {
    byId.put(id, bytes);
  }

  synchronized byte[] content(long id) {
    return byId.getOrDefault(id, new byte[0]);
  }

  synchronized byte[] content(StorePath name) {
    return content(byName.get(name));
  }

  @Override
  public @Nullable FileInfo find(StorePath path, LinkPolicy links) {
    throw new AssertionError("nobody looks");
  }

  @Override
  public boolean makes() {
    return true;
  }

  @Override
  public boolean areNamesChanging() {
    throw new AssertionError("nobody asks for names");
  }

  @Override
  public synchronized List<Long> make(List<NewFile> files) {
    if (refusesNew.test(files)) {
      throw UpcallException.of(why);
    }
    for (NewFile file : files) {
      if (byName.containsKey(file.name())) {
        throw UpcallException.of(new Failure.AlreadyExists(file.name().toString()));
      }
    }
    made.add(files.stream().map(file -> file.name().lastName()).toList());
    return files.stream().map(this::make).toList();
  }

  private long make(NewFile file) {
    long id = FIRST_NEW_ID + byName.size();
    byId.put(id, file.content());
    byName.put(file.name(), id);
    return id;
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
    if (refusesWrites) {
      throw UpcallException.of(why);
    }
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
