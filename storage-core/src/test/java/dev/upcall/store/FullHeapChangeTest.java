package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A heap that is full while a change is planned or brings its content: that one is refused. */
class FullHeapChangeTest {
  private static final byte[] OLD = StoreFixture.bytes(1, 5_000);
  private static final byte[] NEW = StoreFixture.bytes(2, 5_000);

  private final SimWorld world = SimWorld.ofBlocks(3, 4096);
  private final StoreFixture store;

  FullHeapChangeTest() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    assertInstanceOf(Completion.Done.class, store.put(100, OLD));
  }

  private static void assertRefused(Completion<?> completion) {
    assertInstanceOf(Completion.Failed.class, completion);
    Failure failure = ((Completion.Failed<?>) completion).failure();
    assertInstanceOf(Failure.Busy.class, failure);
    assertTrue(failure.message().contains("-Xmx"), failure::message);
  }

  /** The old content is there, and everything works again. */
  private void assertGoesOn() {
    assertArrayEquals(OLD, store.read(100));
    assertInstanceOf(Completion.Done.class, store.put(100, NEW));
    assertArrayEquals(NEW, store.read(100));
    assertInstanceOf(Completion.Done.class, store.close());
  }

  @Test
  void aPlanThatFindsNoMemory_failsItsChangeOnly() {
    StagedContent staged = Objects.requireNonNull(store.stage(NEW));
    assertRefused(
        Objects.requireNonNull(
            world.<Unit>await(
                port ->
                    store
                        .store()
                        .change(
                            (view, out) -> {
                              out.putInode(
                                  Objects.requireNonNull(view.inode(100)).touched(1), staged);
                              throw new OutOfMemoryError("Java heap space");
                            },
                            Durability.SYNC,
                            port))));
    staged.discard();
    assertGoesOn();
  }

  /** It was let in before; what follows the apply would find no room. */
  @Test
  void aChangeWhosePlanStandsWhenTheHeapIsFull_isNotApplied() {
    StagedContent staged = Objects.requireNonNull(store.stage(NEW));
    assertRefused(
        Objects.requireNonNull(
            world.<Unit>await(
                port ->
                    store
                        .store()
                        .change(
                            (view, out) -> {
                              out.putInode(
                                  Objects.requireNonNull(view.inode(100)).touched(1), staged);
                              world.reactor().heapRoom(false);
                              return Completion.done();
                            },
                            Durability.SYNC,
                            port))));
    world.reactor().heapRoom(true);
    staged.discard();
    assertGoesOn();
  }

  /** Nothing of it has happened, and the content is as open as before. */
  @Test
  void contentForWhichTheHeapHasNoRoom_isRefusedAndMayComeLater() {
    ContentStager stager = store.store().stage(StoreFixture.OWNER);
    world.reactor().heapRoom(false);
    ByteBuffer bytes = ByteBuffer.wrap(NEW);
    assertRefused(Objects.requireNonNull(world.<Unit>await(port -> stager.append(bytes, port))));
    assertRefused(Objects.requireNonNull(world.<StagedContent>await(stager::finish)));
    assertEquals(NEW.length, bytes.remaining());
    world.reactor().heapRoom(true);
    world.<Unit>get(port -> stager.append(bytes, port));
    StagedContent staged = world.get(stager::finish);
    assertEquals(NEW.length, staged.sizeBytes());
    staged.discard();
    assertGoesOn();
  }

  /** Its frames and its place are given back. */
  @Test
  void contentThatIsGivenUpForWantOfMemory_holdsNothing() {
    List<Completion<StagedContent>> heard = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ContentStager stager = store.store().stage(StoreFixture.OWNER);
      world.<Unit>get(port -> stager.append(ByteBuffer.wrap(NEW), port));
      world.reactor().heapRoom(false);
      heard.add(Objects.requireNonNull(world.<StagedContent>await(stager::finish)));
      world.reactor().heapRoom(true);
      stager.discard();
    }
    heard.forEach(FullHeapChangeTest::assertRefused);
    assertNull(store.store().refusesContent());
    assertGoesOn();
  }
}
