package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A store with two files, and transactions of it. */
public abstract class TransactionFixture {
  public SimWorld world = SimWorld.ofBlocks(1, 4096);
  public StoreFixture store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    StoreTest.done(store.put(100, bytes("a hundred")));
    StoreTest.done(store.put(101, bytes("a hundred and one")));
  }

  public Transaction begin() {
    return done(world.await(port -> store.store().begin(port)));
  }

  public Completion<Unit> put(Transaction transaction, long id, String text) {
    return change(transaction, id, bytes(text));
  }

  Completion<Unit> change(Transaction transaction, long id, byte[] content) {
    return world.await(port -> change(transaction, id, content, port));
  }

  void change(Transaction transaction, long id, byte[] content, CompletionPort<Unit> port) {
    StagedContent staged = store.stage(content);
    transaction.change(
        new TransactionStep<>(
            "put " + id,
            (view, out) -> {
              Inode old = view.inode(id);
              out.putInode(old == null ? StoreFixture.file(id) : old.touched(1), staged);
              return Completion.done();
            },
            List.of(staged)),
        port);
  }

  Completion<Unit> change(Transaction transaction, String purpose, SegmentChange<Unit> change) {
    return world.await(
        port -> transaction.change(new TransactionStep<>(purpose, change, List.of()), port));
  }

  Completion<Unit> remove(Transaction transaction, long id) {
    return change(
        transaction,
        "remove",
        (view, out) -> {
          out.removeSegment(inode(view, id));
          return Completion.done();
        });
  }

  Completion<Unit> property(Transaction transaction, String name, @Nullable String value) {
    return change(
        transaction,
        "property",
        (view, out) -> {
          if (value == null) {
            out.remove(StoreTree.PROPERTIES, bytes(name));
          } else {
            out.put(StoreTree.PROPERTIES, bytes(name), bytes(value));
          }
          return Completion.done();
        });
  }

  void property(String name, String value) {
    world.<Unit>get(
        port ->
            store
                .store()
                .<Unit>change(
                    (view, out) -> {
                      out.put(StoreTree.PROPERTIES, bytes(name), bytes(value));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
  }

  Completion<Long> commit(Transaction transaction) {
    return world.await(port -> transaction.commit(Durability.SYNC, port));
  }

  Completion<PinnedContent> pin(Transaction transaction, long id) {
    return world.await(
        port ->
            transaction.pin(
                view -> {
                  Inode inode = view.inode(id);
                  return inode == null
                      ? Completion.failed(new Failure.NotFound("segment " + id))
                      : Completion.done(inode);
                },
                StoreFixture.OWNER,
                port));
  }

  @Nullable String read(Transaction transaction, long id) {
    if (!(pin(transaction, id) instanceof Completion.Done<PinnedContent>(PinnedContent content))) {
      return null;
    }
    try (content) {
      return text(StoreFixture.read(world, content));
    }
  }

  StagedContent staged(String text) {
    return store.stage(bytes(text));
  }

  /** A request whose answer is waited for later. */
  <T> Asked<T> asked(java.util.function.Consumer<CompletionPort<T>> request) {
    Asked<T> asked = new Asked<>();
    request.accept(completion -> asked.completion = completion);
    return asked;
  }

  final class Asked<T> {
    private @Nullable Completion<T> completion;

    Completion<T> answer() {
      world.runUntil(() -> completion != null);
      return completion;
    }
  }

  public static Inode inode(View view, long id) {
    Inode inode = view.inode(id);
    if (inode == null) {
      throw new AssertionError("no segment " + id);
    }
    return inode;
  }

  public static <T> T done(@Nullable Completion<T> completion) {
    if (completion instanceof Completion.Failed<T>(Failure failure)) {
      throw new AssertionError(failure.message());
    }
    return ((Completion.Done<T>) completion).value();
  }

  static Failure failure(@Nullable Completion<?> completion) {
    return assertInstanceOf(Completion.Failed.class, completion).failure();
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}
