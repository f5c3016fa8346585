package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Who brings new content, and whose handles have writes, wait for places in the order of coming.
 */
class PutPlacesTest {
  private static final int MORE_THAN_A_BLOCK = 5000;

  private final FilesFixture fixture = FilesFixture.create(1);
  private final List<String> heard = new ArrayList<>();
  private final List<PutHandle> held = new ArrayList<>();
  private final List<FileHandle> writing = new ArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private PlaceCounters content() {
    return fixture.files().store().metrics().places().getFirst();
  }

  private PlaceCounters writers() {
    return fixture.files().store().metrics().places().getLast();
  }

  private PutHandle begin(String path) {
    return fixture.get(port -> fixture.files().put(StorePath.of(path), PutOptions.DEFAULT, port));
  }

  /** Appends without waiting for it. */
  private PutHandle appending(String path, int bytes) {
    PutHandle handle = begin(path);
    handle.append(ByteBuffer.allocate(bytes), completion -> heard(path, completion));
    return handle;
  }

  private void heard(String what, Completion<?> completion) {
    heard.add(
        completion instanceof Completion.Failed<?>(Failure failure)
            ? what + ": " + failure.message()
            : what);
  }

  private void takeAllPlaces() {
    int places = content().places();
    for (int i = 0; i < places; i++) {
      PutHandle handle = begin("/held" + i);
      fixture.<Unit>get(port -> handle.append(ByteBuffer.allocate(MORE_THAN_A_BLOCK), port));
      held.add(handle);
    }
    assertEquals(places, content().taken());
  }

  private void commit(PutHandle handle) {
    fixture.<FileInfo>get(port -> handle.commit(Durability.SYNC, port));
  }

  private void answered(int count) {
    fixture.world().runUntil(() -> heard.size() >= count);
    assertEquals(count, heard.size(), heard.toString());
  }

  @Test
  void placesAreGivenInTheOrderOfComing() {
    takeAllPlaces();
    List<PutHandle> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(appending("/w" + i, MORE_THAN_A_BLOCK));
    }
    assertEquals(3, content().waiting());
    commit(held.get(4));
    answered(1);
    held.get(7).abandon();
    answered(2);
    commit(waiting.getFirst());
    answered(3);
    assertEquals(List.of("/w0", "/w1", "/w2"), heard);
    assertEquals(0, content().waiting());
    assertEquals(3, content().waited());
  }

  @Test
  void whatFitsABlockNeedsNoPlace() {
    takeAllPlaces();
    PutHandle small = begin("/small");
    fixture.<Unit>get(port -> small.append(ByteBuffer.allocate(4000), port));
    commit(small);
    assertEquals(0, content().waited());
    assertEquals(4000, fixture.stat("/small").sizeBytes());
    PutHandle grown = begin("/grown");
    fixture.<Unit>get(port -> grown.append(ByteBuffer.allocate(4000), port));
    grown.append(ByteBuffer.allocate(4000), completion -> heard("grown", completion));
    assertEquals(1, content().waiting());
    held.getFirst().abandon();
    answered(1);
    commit(grown);
    assertEquals(8000, fixture.stat("/grown").sizeBytes());
  }

  /** So small ones cannot take all memory between them. */
  @Test
  void soManySmallOnesMayBeOpen() {
    takeAllPlaces();
    int small = 0;
    while (content().waiting() == 0) {
      int before = heard.size();
      appending("/s" + small++, 1);
      fixture.world().runUntil(() -> heard.size() > before || content().waiting() > 0);
    }
    assertEquals(4 * content().places(), small - 1);
  }

  @Test
  void whoGivesUpLeavesTheLine() {
    takeAllPlaces();
    PutHandle gone = appending("/gone", MORE_THAN_A_BLOCK);
    appending("/next", MORE_THAN_A_BLOCK);
    gone.abandon();
    answered(1);
    assertEquals(1, content().waiting());
    held.getFirst().abandon();
    answered(2);
    assertEquals(List.of("/gone: append was cancelled", "/next"), heard);
  }

  @Test
  void aBatchIsHeldUpByNobody() {
    takeAllPlaces();
    FileRequest put =
        new FileRequest.Put(
            StorePath.of("/batch"), new FileContent.Bytes(new byte[60_000]), PutOptions.DEFAULT);
    assertInstanceOf(Completion.Done.class, fixture.batch(put));
    assertEquals(0, content().waited());
  }

  @Test
  void whoWaitsForTooLongIsTold() {
    takeAllPlaces();
    appending("/late", MORE_THAN_A_BLOCK);
    answered(1);
    assertEquals(
        List.of(
            "/late: too many requests at once (new content on its way: waited 30000 ms for one of "
                + content().places()
                + " places); try again"),
        heard);
    assertEquals(1, content().timedOut());
  }

  @Test
  void closingAnswersThoseWhoWait() {
    takeAllPlaces();
    appending("/w", MORE_THAN_A_BLOCK);
    FileHandle handle = takeAllWriters();
    handle.write(0, ByteBuffer.allocate(10), completion -> heard("handle", completion));
    assertEquals(1, writers().waiting());
    long beganNanos = fixture.world().clock().monotonicNanos();
    fixture.<Unit>get(fixture.files()::close);
    assertEquals(List.of("/w: append was cancelled", "handle: the write was cancelled"), heard);
    assertTrue(fixture.world().clock().monotonicNanos() - beganNanos < 1_000_000_000);
  }

  private FileHandle open(String path) {
    return fixture.get(port -> fixture.files().open(StorePath.of(path), OpenMode.CREATE, port));
  }

  /** Another handle. */
  private FileHandle takeAllWriters() {
    int places = writers().places();
    for (int i = 0; i < places; i++) {
      FileHandle handle = open("/handle" + i);
      fixture.<Unit>get(port -> handle.write(0, ByteBuffer.allocate(10), port));
      writing.add(handle);
    }
    return open("/another");
  }

  @Test
  void aHandleThatGivesUpLeavesTheLine() {
    FileHandle gone = takeAllWriters();
    FileHandle next = open("/next");
    gone.write(0, ByteBuffer.allocate(10), completion -> heard("gone", completion));
    next.write(0, ByteBuffer.allocate(10), completion -> heard("next", completion));
    assertEquals(2, writers().waiting());
    gone.abandon();
    answered(1);
    assertEquals(1, writers().waiting());
    writing.getFirst().abandon();
    answered(2);
    assertEquals(List.of("gone: the write was cancelled", "next"), heard);
  }
}
