package dev.upcall.sim.store;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.store.model.SimEdit;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Clients that write through handles, several at once to one file. When a commit is applied, the
 * file must have what it had then with all of the handle's operations done to it, in order.
 */
public final class SimHandles {
  private static final int MOST_OPERATIONS = 6;
  private static final int GATHER_ONE_IN = 6;

  private final SimClients clients;
  private final Store store;
  private final SimModel model;
  private final boolean edits;
  private final SimEdges edges;
  private final SplittableRandom random;

  SimHandles(
      SimClients clients, Store store, SimModel model, SimHabits habits, SplittableRandom random) {
    this.clients = clients;
    this.store = store;
    this.model = model;
    this.edits = habits.edits();
    this.edges = new SimEdges(habits.edges(), random);
    this.random = random;
  }

  /** Opens a handle, uses and ends it, and tells how its last commit went. */
  void run(long id, CompletionPort<Unit> port) {
    Using using = new Using(id, port);
    Segments.open(
        using.watched(),
        Segments.Target.of(id),
        StoreFixture.OWNER,
        completion -> {
          switch (completion) {
            case Completion.Failed<SegmentHandle> failed -> port.complete(failed.cast());
            case Completion.Done<SegmentHandle> done -> using.begin(done.value());
          }
        });
  }

  /** One handle and what was done through it since its last commit. */
  private final class Using {
    private final long id;
    private final CompletionPort<Unit> port;
    private final List<UnaryOperator<byte[]>> operations = new ArrayList<>();
    private int left = random.nextInt(MOST_OPERATIONS);
    private int durable;
    private SegmentHandle handle;

    Using(long id, CompletionPort<Unit> port) {
      this.id = id;
      this.port = port;
    }

    void begin(SegmentHandle opened) {
      handle = opened;
      clients.pause(this::next);
    }

    private void next() {
      if (left-- > 0) {
        operate();
      } else if (random.nextInt(6) == 0) {
        handle.abandon();
        port.complete(Completion.done());
      } else {
        handle.close(this::closed);
      }
    }

    private void operate() {
      int size = (int) handle.sizeBytes();
      if (edges.isNext()) {
        edges.ask(handle, ended(before -> before));
        return;
      }
      if (edits && random.nextInt(GATHER_ONE_IN) == 0) {
        if (operations.isEmpty()) {
          left = 0; // as a file is rewritten: a step is a commit of its own
        }
        handle.gather(random.nextInt(size + 1), random.nextInt(size + 2), ended(before -> before));
        return;
      }
      if (edits && random.nextBoolean()) {
        SimEdit edit = SimEdit.draw(size, random);
        handle.splice(edit.offset(), edit.removed(), ByteBuffer.wrap(edit.bytes()), edited(edit));
        return;
      }
      switch (random.nextInt(8)) {
        case 0 -> handle.flush(this::flushed);
        case 1 -> {
          int cut = random.nextInt(size + 5000);
          handle.truncate(cut, ended(before -> Arrays.copyOf(before, cut)));
        }
        case 2, 3 -> {
          byte[] bytes = bytes();
          handle.append(
              ByteBuffer.wrap(bytes), ended(before -> laid(before, before.length, bytes)));
        }
        default -> {
          byte[] bytes = bytes();
          int offset = random.nextInt(size + (random.nextInt(4) == 0 ? 9000 : 1));
          handle.write(
              offset, ByteBuffer.wrap(bytes), ended(before -> laid(before, offset, bytes)));
        }
      }
    }

    private byte[] bytes() {
      int length = random.nextInt(12) == 0 ? random.nextInt(150_000) : random.nextInt(6000);
      return StoreFixture.bytes(random.nextLong(), 1 + length);
    }

    private CompletionPort<Unit> ended(UnaryOperator<byte[]> operation) {
      return completion -> {
        if (completion instanceof Completion.Done<Unit>) {
          operations.add(operation);
          clients.pause(this::next);
        } else {
          handle.abandon();
          port.complete(completion);
        }
      };
    }

    /** Whoever drew by an old size may be refused, and has done nothing. */
    private CompletionPort<Unit> edited(SimEdit edit) {
      return completion -> {
        if (completion instanceof Completion.Failed<Unit>(Failure.Invalid _)
            && edit.offset() + edit.removed() > handle.sizeBytes()) {
          clients.pause(this::next);
        } else {
          ended(edit::of).complete(completion);
        }
      };
    }

    private void flushed(Completion<Unit> completion) {
      if (completion instanceof Completion.Done<Unit>) {
        model.require(durable);
        clients.pause(this::next);
      } else {
        failed(completion);
      }
    }

    private void closed(Completion<Unit> completion) {
      if (completion instanceof Completion.Done<Unit>) {
        model.require(durable);
        port.complete(completion);
      } else {
        failed(completion);
      }
    }

    /** Tried again now and then, as often as chance wants: a handle stays as it was. */
    private void failed(Completion<Unit> completion) {
      boolean passes =
          ((Completion.Failed<Unit>) completion).failure() instanceof Failure.Busy
              || ((Completion.Failed<Unit>) completion).failure() instanceof Failure.VolumeFull;
      if (passes && random.nextBoolean()) {
        left = random.nextInt(2);
        clients.pause(this::next);
      } else {
        handle.abandon();
        port.complete(completion);
      }
    }

    /** The store as the handle sees it: what it commits is compared and noted. */
    Store watched() {
      return (Store)
          Proxy.newProxyInstance(
              Store.class.getClassLoader(),
              new Class<?>[] {Store.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("changeSegment")) {
                  arguments[0] = watched((SegmentChange<?>) arguments[0]);
                }
                try {
                  return method.invoke(store, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private <T> SegmentChange<T> watched(SegmentChange<T> change) {
      return (view, out) -> {
        clients.planning(view, id);
        Completion<T> planned = change.plan(view, out);
        if (planned instanceof Completion.Done<T>(T value) && value instanceof Inode inode) {
          out.onApplied(() -> applied(inode));
        }
        return planned;
      };
    }

    private void applied(Inode inode) {
      SimModel.FileState before = model.live().files().get(id);
      byte[] bytes = before.bytes();
      for (UnaryOperator<byte[]> operation : operations) {
        bytes = operation.apply(bytes);
      }
      operations.clear();
      SimInspection.checkThat(
          bytes.length == inode.size(), "size " + inode.size() + ", not " + bytes.length);
      SimModel.Step step = new SimModel.Step(store.dispatcher().upcallNanos());
      step.file(id, new SimModel.FileState(inode.version(), before.content(), bytes.length, bytes));
      durable = model.apply(step);
    }
  }

  /** Bytes with others laid over them, zeros between. */
  public static byte[] laid(byte[] before, int offset, byte[] bytes) {
    byte[] after = Arrays.copyOf(before, Math.max(before.length, offset + bytes.length));
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    return after;
  }
}
