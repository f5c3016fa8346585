package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Edits whose files others change between the plan and the making of what was planned: always at
 * the same moment, which is just before a file is pinned.
 */
class SegmentEditsTest {
  private static final long TARGET = 200;
  private static final long SOURCE = 201;
  private static final int SIZE = 100_000;
  private static final int KEPT = 40_000;

  private final SimWorld world = SimWorld.ofBlocks(5, 4096);
  private final StoreFixture store = formatted();
  private final byte[] target = StoreFixture.bytes(1, SIZE);
  private final byte[] source = StoreFixture.bytes(2, SIZE);
  private int plans;

  private StoreFixture formatted() {
    StoreFixture.format(world);
    StoreFixture opened = StoreFixture.open(world);
    opened.put(TARGET, StoreFixture.bytes(1, SIZE));
    opened.put(SOURCE, StoreFixture.bytes(2, SIZE));
    return opened;
  }

  @AfterEach
  void close() {
    store.verify();
    assertInstanceOf(Completion.Done.class, store.close());
  }

  /** What edits read of the store, after something else has happened before one of their pins. */
  private final class Late implements ReadSource {
    private final Consumer<CompletionPort<Unit>> event;
    private int before;

    Late(int before, Consumer<CompletionPort<Unit>> event) {
      this.before = before;
      this.event = event;
    }

    @Override
    public <T> void query(Query<T> query, CompletionPort<T> port) {
      store.store().query(query, port);
    }

    @Override
    public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
      if (before-- == 0) {
        event.accept(port.then(happened -> store.store().pin(which, owner, port)));
      } else {
        store.store().pin(which, owner, port);
      }
    }
  }

  private void truncate(long id, long sizeBytes, CompletionPort<Unit> port) {
    Segments.open(
        store.store(),
        Segments.Target.of(id),
        StoreFixture.OWNER,
        port.then(
            handle -> handle.truncate(sizeBytes, port.then(truncated -> handle.close(port)))));
  }

  private void remove(long id, CompletionPort<Unit> port) {
    store
        .store()
        .change(
            (view, out) -> {
              out.removeSegment(present(view.inode(id)));
              return Completion.done();
            },
            Durability.SYNC,
            port);
  }

  private static Inode present(@Nullable Inode inode) {
    return Objects.requireNonNull(inode);
  }

  /** Who asks as the file manager does: what does not fit any more is refused by the next plan. */
  private Completion<Unit> edit(ReadSource reading, SegmentEdits.Edit edit) {
    SegmentEdits edits =
        new SegmentEdits(store.store(), reading, StoreFixture.OWNER, /* timeNanos= */ 7);
    assertInstanceOf(Completion.Done.class, world.await(edits::takePlace));
    Completion<Unit> completion =
        world.await(
            port ->
                store
                    .store()
                    .<Unit>changeSegment(
                        (view, out) -> {
                          plans++;
                          Inode now = view.inode(TARGET);
                          Inode from =
                              edit instanceof SegmentEdits.Copy copy
                                  ? view.inode(copy.source().id())
                                  : now;
                          if (now == null || from == null) {
                            return Completion.failed(new Failure.NotFound("file"));
                          }
                          if (!isWithin(now, from, edit)) {
                            return Completion.failed(new Failure.Invalid("range"));
                          }
                          edits.plan(
                              view,
                              out,
                              List.of(
                                  new SegmentEdits.Edited(now.touched(7), "file", List.of(edit))));
                          return Completion.done();
                        },
                        Durability.SYNC,
                        port));
    edits.close();
    return completion;
  }

  private static boolean isWithin(Inode now, Inode from, SegmentEdits.Edit edit) {
    return edit.offset() + edit.removed() <= now.size()
        && (!(edit instanceof SegmentEdits.Copy copy) || copy.from() + copy.added() <= from.size());
  }

  private void isRefused(Class<? extends Failure> kind, Completion<Unit> completion) {
    assertInstanceOf(
        kind, assertInstanceOf(Completion.Failed.class, completion).failure(), "" + completion);
    assertEquals(2, plans, "planned, and planned again on what was there then");
  }

  private static SegmentEdits.Copy copy(long from, long bytes, long id) {
    return new SegmentEdits.Copy(
        /* offset= */ 10, /* removed= */ 0, Segments.Target.of(id), from, bytes);
  }

  private byte[] with(byte[] before, byte[] inserted) {
    byte[] after = new byte[before.length + inserted.length];
    System.arraycopy(before, 0, after, 0, 10);
    System.arraycopy(inserted, 0, after, 10, inserted.length);
    System.arraycopy(before, 10, after, 10 + inserted.length, before.length - 10);
    return after;
  }

  /** An edit in the middle, so that from then on a file has a map, which knows its end. */
  private byte[] edited(long id, byte[] before) {
    byte[] some = StoreFixture.bytes(4, 100);
    Completion<Unit> inserted =
        world.await(
            port ->
                Segments.open(
                    store.store(),
                    Segments.Target.of(id),
                    StoreFixture.OWNER,
                    port.then(
                        handle ->
                            handle.splice(
                                10,
                                0,
                                ByteBuffer.wrap(some),
                                port.then(done -> handle.close(port))))));
    assertInstanceOf(Completion.Done.class, inserted);
    return with(before, some);
  }

  @Test
  void aRangeOfItsOwnIsCutOff() {
    Late cut = new Late(0, port -> truncate(TARGET, KEPT, port));
    isRefused(Failure.Invalid.class, edit(cut, copy(KEPT + 1000, 30_000, TARGET)));
    assertArrayEquals(Arrays.copyOf(target, KEPT), store.read(TARGET));
  }

  @Test
  void aRangeOfItsOwnMapIsCutOff() {
    byte[] before = edited(TARGET, target);
    Late cut = new Late(0, port -> truncate(TARGET, KEPT, port));
    isRefused(Failure.Invalid.class, edit(cut, copy(KEPT + 1000, 30_000, TARGET)));
    assertArrayEquals(Arrays.copyOf(before, KEPT), store.read(TARGET));
  }

  @Test
  void aRangeOfAnotherIsCutOff() {
    for (int pin = 0; pin < 2; pin++) {
      plans = 0;
      store.put(SOURCE, source);
      byte[] before = edited(SOURCE, source);
      Late cut = new Late(pin, port -> truncate(SOURCE, KEPT, port));
      isRefused(Failure.Invalid.class, edit(cut, copy(KEPT - 1000, 30_000, SOURCE)));
      assertArrayEquals(target, store.read(TARGET));
      assertArrayEquals(Arrays.copyOf(before, KEPT), store.read(SOURCE));
    }
  }

  @Test
  void thePlaceIsCutOff() {
    byte[] bytes = StoreFixture.bytes(3, 5000);
    Late cut = new Late(0, port -> truncate(TARGET, KEPT, port));
    isRefused(
        Failure.Invalid.class,
        edit(cut, new SegmentEdits.Splice(KEPT - 1, 5000, ByteBuffer.wrap(bytes))));
    assertArrayEquals(Arrays.copyOf(target, KEPT), store.read(TARGET));
  }

  @Test
  void theTargetOrTheSourceIsRemoved() {
    Late gone = new Late(0, port -> remove(TARGET, port));
    isRefused(Failure.NotFound.class, edit(gone, copy(0, 30_000, SOURCE)));
    assertArrayEquals(source, store.read(SOURCE));
    plans = 0;
    store.put(TARGET, target);
    Late sourceless = new Late(1, port -> remove(SOURCE, port));
    isRefused(Failure.NotFound.class, edit(sourceless, copy(0, 30_000, SOURCE)));
    assertArrayEquals(target, store.read(TARGET));
  }

  /** What is left has the range: it is copied as it is then, and nothing else of the file. */
  @Test
  void whatIsStillThereIsCopiedOfWhatIsThere() {
    Late own = new Late(0, port -> truncate(TARGET, KEPT, port));
    Completion<Unit> copied = edit(own, copy(5, 30_000, TARGET));
    assertInstanceOf(Completion.Done.class, copied);
    byte[] cut = Arrays.copyOf(target, KEPT);
    byte[] expected = with(cut, Arrays.copyOfRange(cut, 5, 30_005));
    assertArrayEquals(expected, store.read(TARGET));
    Late others = new Late(1, port -> truncate(SOURCE, KEPT, port));
    assertInstanceOf(Completion.Done.class, edit(others, copy(5, 30_000, SOURCE)));
    assertArrayEquals(with(expected, Arrays.copyOfRange(source, 5, 30_005)), store.read(TARGET));
  }
}
