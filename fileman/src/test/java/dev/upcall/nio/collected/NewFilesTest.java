package dev.upcall.nio.collected;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;

/** Files that wait to be made, over files that refuse some; nobody comes but the test. */
class NewFilesTest {
  private final Refusing files = new Refusing();
  private final WriteBehind all = new WriteBehind(files, 64L << 20, Long.MAX_VALUE / 2);
  private final List<String> fates = new ArrayList<>();

  /** Files in memory, with all commits. */
  private static final class Refusing implements FilesById {
    final Map<Long, byte[]> byId = new LinkedHashMap<>();
    final Map<StorePath, Long> byName = new LinkedHashMap<>();
    final List<List<String>> made = new ArrayList<>();
    final List<String> written = new ArrayList<>();
    Predicate<List<NewFile>> refuses = _ -> false;
    Failure why = new Failure.Busy("the test");

    @Override
    public @Nullable FileInfo find(StorePath path, LinkPolicy links) {
      throw new AssertionError("nobody looks");
    }

    @Override
    public boolean makes() {
      return true;
    }

    @Override
    public List<Long> make(List<NewFile> files) {
      if (refuses.test(files)) {
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
      long id = 100 + byId.size();
      byId.put(id, file.content());
      byName.put(file.name(), id);
      return id;
    }

    byte[] content(String name) {
      return byId.get(byName.get(NewFilesTest.name(name)));
    }

    @Override
    public long sizeBytes(long id) {
      return byId.get(id).length;
    }

    @Override
    public int read(long id, long offset, ByteBuffer into) {
      byte[] content = byId.get(id);
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
    public long write(long id, List<Piece> pieces, Durability durability) {
      for (Piece piece : pieces) {
        byte[] content = byId.get(id);
        int at = Math.toIntExact(piece.offset() == AT_END ? content.length : piece.offset());
        int count = piece.bytes().remaining();
        content = Arrays.copyOf(content, Math.max(content.length, at + count));
        piece.bytes().duplicate().get(content, at, count);
        byId.put(id, content);
        written.add(id + ":" + count);
      }
      return byId.get(id).length;
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

  private static StorePath name(String name) {
    return StorePath.ROOT.child(name);
  }

  private PendingWrites add(String name) {
    PendingWrites file =
        all.ofNew(
            new Making(
                name(name),
                0644,
                new Making.Fate() {
                  @Override
                  public void made(long id) {
                    fates.add(name + " made " + id);
                  }

                  @Override
                  public void givenUp() {
                    fates.add(name + " given up");
                  }
                }));
    assertNotNull(file);
    all.addNew(file);
    return file;
  }

  private PendingWrites add(String name, int... bytes) {
    PendingWrites file = add(name);
    write(file, bytes);
    return file;
  }

  private static void write(PendingWrites file, int... bytes) {
    file.collect(FilesById.AT_END, ByteBuffer.wrap(bytes(bytes)));
  }

  private static byte[] bytes(int... bytes) {
    byte[] some = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      some[i] = (byte) bytes[i];
    }
    return some;
  }

  private static byte[] read(PendingWrites file) {
    ByteBuffer into = ByteBuffer.allocate(100);
    while (file.read(into.position(), into) > 0) {
      // goes on behind it
    }
    return Arrays.copyOf(into.array(), into.position());
  }

  @Test
  void manyAreMadeInTheirOrderByOneCommit() {
    PendingWrites a = add("a", 1, 2);
    PendingWrites b = add("b");
    add("c", 3).collect(5, ByteBuffer.wrap(bytes(4)));
    assertEquals(2, a.sizeBytes());
    assertEquals(0, b.sizeBytes());
    assertTrue(all.hasNew());
    b.settle(); // the others come along, or there could be a file without what was before it
    assertEquals(List.of(List.of("a", "b", "c")), files.made);
    assertEquals(List.of("a made 100", "b made 101", "c made 102"), fates);
    assertArrayEquals(bytes(1, 2), files.content("a"));
    assertArrayEquals(bytes(3, 0, 0, 0, 0, 4), files.content("c"));
    assertFalse(all.hasNew());
    write(a, 5);
    a.settle();
    assertArrayEquals(bytes(1, 2, 5), files.content("a"));
    assertEquals(List.of("100:1"), files.written);
  }

  @Test
  void whatWasWrittenBeforeIsCommittedBefore() {
    PendingWrites old = all.of(7);
    files.byId.put(7L, bytes(9));
    write(old, 8);
    add("a", 1).settle();
    assertEquals(List.of("7:1"), files.written);
    assertArrayEquals(bytes(9, 8), files.byId.get(7L));
  }

  @Test
  void aFileIsReadBeforeItIsMade() {
    PendingWrites a = add("a", 1, 2, 3);
    a.collect(6, ByteBuffer.wrap(bytes(7)));
    assertArrayEquals(bytes(1, 2, 3, 0, 0, 0, 7), read(a));
    assertEquals(-1, a.readLater(7, ByteBuffer.allocate(1)).resultNow());
    assertEquals(2, a.readLater(1, ByteBuffer.allocate(2)).resultNow());
    assertEquals(List.of(), files.made);
  }

  @Test
  void aFileThatIsGivenUpIsNeverMade() {
    PendingWrites a = add("a", 1);
    add("b", 2);
    assertTrue(a.staysNew(/* last= */ true));
    assertTrue(a.giveUpNew());
    assertFalse(a.giveUpNew());
    assertFalse(a.holdNew());
    all.settle();
    assertEquals(List.of(List.of("b")), files.made);
    assertEquals(List.of("a given up", "b made 100"), fates);
  }

  @Test
  void aLargeFileIsMadeAndThenWrittenOn() {
    PendingWrites a = add("a");
    ByteBuffer piece = ByteBuffer.allocate(100 << 10);
    a.collect(FilesById.AT_END, piece.duplicate());
    a.collect(FilesById.AT_END, piece.duplicate());
    assertEquals(List.of(), files.made);
    assertEquals(300 << 10, a.collect(FilesById.AT_END, piece.duplicate()));
    assertEquals(List.of(List.of("a")), files.made);
    assertEquals(200 << 10, files.content("a").length);
    assertEquals(300 << 10, a.sizeBytes());
    a.settle();
    assertEquals(300 << 10, files.content("a").length);
  }

  @Test
  void oneCommitIsNotTooMuch() {
    for (int i = 0; i < 10; i++) {
      add("f" + i).collect(0, ByteBuffer.allocate(250 << 10));
    }
    all.settle();
    assertEquals(List.of(4, 4, 2), files.made.stream().map(List::size).toList());
  }

  @Test
  void soManyOnlyWait() {
    List<PendingWrites> some = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      some.add(add("f" + i));
    }
    Making one = new Making(name("more"), 0644, new Fateless());
    assertNull(all.ofNew(one));
    assertTrue(some.getFirst().giveUpNew());
    assertNotNull(all.ofNew(one));
  }

  private static final class Fateless implements Making.Fate {
    @Override
    public void made(long id) {
      throw new AssertionError("was never added");
    }

    @Override
    public void givenUp() {
      throw new AssertionError("was never added");
    }
  }

  @Test
  void whatCannotBeMadeIsKeptAndToldAndTriedAgain() {
    PendingWrites a = add("a", 1);
    files.refuses = _ -> true;
    assertThrows(UpcallException.Busy.class, a::settle);
    all.settleForOthers(); // whose business it is not
    assertArrayEquals(bytes(1), read(a));
    assertThrows(UpcallException.Busy.class, () -> write(a, 2));
    assertThrows(UpcallException.Busy.class, all::settle);
    files.refuses = _ -> false;
    write(a, 3);
    a.settle();
    assertArrayEquals(bytes(1, 3), files.content("a"));
  }

  @Test
  void oneThatCannotBeMadeKeepsNobodyElse() {
    add("a", 1);
    PendingWrites b = add("b", 2);
    PendingWrites c = add("c", 3);
    files.refuses = some -> some.stream().anyMatch(file -> file.name().equals(name("b")));
    c.settle();
    assertEquals(List.of(List.of("a"), List.of("c")), files.made);
    assertTrue(all.hasNew());
    assertThrows(UpcallException.Busy.class, b::close);
    b.discard();
    assertFalse(all.hasNew());
    assertEquals("b given up", fates.getLast());
  }

  @Test
  void whatIsTooMuchForOneRequestIsMadeEmptyAndWritten() {
    files.why = new Failure.TooLarge("the test", 2, 1);
    files.refuses = some -> some.stream().mapToInt(file -> file.content().length).sum() > 1;
    PendingWrites a = add("a", 1, 2);
    add("b", 3);
    a.settle();
    assertEquals(List.of(List.of("a"), List.of("b")), files.made);
    assertEquals(List.of("100:2"), files.written);
    assertArrayEquals(bytes(1, 2), files.content("a"));
  }

  @Test
  void aClosedFileWhoseNameIsTakenIsToldOnceByWhoForces() {
    PendingWrites a = add("a", 1);
    assertTrue(a.staysNew(/* last= */ true));
    files.byName.put(name("a"), 1L); // another door
    all.settleForOthers();
    assertEquals(List.of("a given up"), fates);
    assertFalse(all.hasNew());
    UpcallException told = assertThrows(UpcallException.Conflict.class, all::settle);
    assertTrue(told.getMessage().contains("/a was made through another door"), told.getMessage());
    all.settle();
  }

  @Test
  void aClosedFileGoesWithItsDirectory() {
    PendingWrites a = add("a", 1);
    assertTrue(a.staysNew(/* last= */ true));
    files.why = new Failure.NotFound("the directory");
    files.refuses = _ -> true;
    all.settle();
    assertEquals(List.of("a given up"), fates);
    assertFalse(all.hasNew());
  }

  @Test
  void whatIsWrittenWhileItIsMadeIsNotLeftToNobody() {
    PendingWrites a = add("a");
    files.refuses =
        _ -> {
          write(a, 1, 2);
          assertFalse(a.staysNew(/* last= */ true));
          return false;
        };
    all.settleForOthers();
    assertEquals(0, files.content("a").length);
    assertArrayEquals(bytes(1, 2), read(a));
    a.close();
    assertArrayEquals(bytes(1, 2), files.content("a"));
  }

  @Test
  void whatFailsWhileItIsMadeLeavesNobodyWaiting() {
    PendingWrites a = add("a", 1);
    PendingWrites b = add("b", 1);
    files.refuses =
        _ -> {
          throw new StackOverflowError("the test's");
        };
    assertThrows(IllegalStateException.class, a::settle);
    files.refuses = _ -> false;
    b.settle();
    assertArrayEquals(bytes(1), files.content("a"));
  }
}
