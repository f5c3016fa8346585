package dev.upcall.nio.collected;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files that wait to be made, over files that refuse some; nobody comes but the test. */
class NewFilesTest {
  private final MemoryFiles files = new MemoryFiles();
  private final WriteBehind all = new WriteBehind(files, 64L << 20, Long.MAX_VALUE / 2);
  private final List<String> fates = new ArrayList<>();

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
    assertArrayEquals(bytes(1, 2), files.content(name("a")));
    assertArrayEquals(bytes(3, 0, 0, 0, 0, 4), files.content(name("c")));
    assertFalse(all.hasNew());
    write(a, 5);
    a.settle();
    assertArrayEquals(bytes(1, 2, 5), files.content(name("a")));
    assertEquals(List.of("100:1"), files.written);
  }

  @Test
  void whatWasWrittenBeforeIsCommittedBefore() {
    PendingWrites old = all.of(7);
    files.content(7, bytes(9));
    write(old, 8);
    add("a", 1).settle();
    assertEquals(List.of("7:1"), files.written);
    assertArrayEquals(bytes(9, 8), files.content(7));
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
    assertEquals(200 << 10, files.content(name("a")).length);
    assertEquals(300 << 10, a.sizeBytes());
    a.settle();
    assertEquals(300 << 10, files.content(name("a")).length);
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
    files.refusesNew(_ -> true);
    assertThrows(UpcallException.Busy.class, a::settle);
    all.settleForOthers(); // whose business it is not
    assertArrayEquals(bytes(1), read(a));
    assertThrows(UpcallException.Busy.class, () -> write(a, 2));
    assertThrows(UpcallException.Busy.class, all::settle);
    files.refusesNew(_ -> false);
    write(a, 3);
    a.settle();
    assertArrayEquals(bytes(1, 3), files.content(name("a")));
  }

  @Test
  void oneThatCannotBeMadeKeepsNobodyElse() {
    add("a", 1);
    PendingWrites b = add("b", 2);
    PendingWrites c = add("c", 3);
    files.refusesNew(some -> some.stream().anyMatch(file -> file.name().equals(name("b"))));
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
    files.why(new Failure.TooLarge("the test", 2, 1));
    files.refusesNew(some -> some.stream().mapToInt(file -> file.content().length).sum() > 1);
    PendingWrites a = add("a", 1, 2);
    add("b", 3);
    a.settle();
    assertEquals(List.of(List.of("a"), List.of("b")), files.made);
    assertEquals(List.of("100:2"), files.written);
    assertArrayEquals(bytes(1, 2), files.content(name("a")));
  }

  @Test
  void aClosedFileWhoseNameIsTakenIsToldOnceByWhoForces() {
    PendingWrites a = add("a", 1);
    assertTrue(a.staysNew(/* last= */ true));
    files.takes(name("a")); // another door
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
    files.why(new Failure.NotFound("the directory"));
    files.refusesNew(_ -> true);
    all.settle();
    assertEquals(List.of("a given up"), fates);
    assertFalse(all.hasNew());
  }

  @Test
  void whatIsWrittenWhileItIsMadeIsNotLeftToNobody() {
    PendingWrites a = add("a");
    files.refusesNew(
        _ -> {
          write(a, 1, 2);
          assertFalse(a.staysNew(/* last= */ true));
          return false;
        });
    all.settleForOthers();
    assertEquals(0, files.content(name("a")).length);
    assertArrayEquals(bytes(1, 2), read(a));
    a.close();
    assertArrayEquals(bytes(1, 2), files.content(name("a")));
  }

  @Test
  void whatFailsWhileItIsMadeLeavesNobodyWaiting() {
    PendingWrites a = add("a", 1);
    PendingWrites b = add("b", 1);
    files.refusesNew(
        _ -> {
          throw new StackOverflowError("the test's");
        });
    assertThrows(IllegalStateException.class, a::settle);
    files.refusesNew(_ -> false);
    b.settle();
    assertArrayEquals(bytes(1), files.content(name("a")));
  }
}
