package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * What holds of a scheduler in front of a disk, whatever its policy. Every write has a number of
 * its own, which its blocks hold; so a read tells by what it finds whether it came in its order,
 * and a write that is answered can be looked for on the device.
 */
final class SchedulingContract {
  static final int BLOCKS = 96;
  static final long LEAST_SERVICE_NANOS = 50_000;
  static final long MOST_SERVICE_NANOS = 150_000;

  private static final int ASKERS = 6;
  private static final int OUTSTANDING = 5;
  private static final int MAX_REQUEST_BLOCKS = 6;
  private static final IoClass[] CLASSES = IoClass.values();

  private final SimWorld world;
  private final SplittableRandom random;
  private final Disk disk;
  private final int[] numbers = new int[BLOCKS];
  private int asked;
  private int answered;
  private int toAsk;

  /** Askers who will ask after a pause. */
  private int thinking;

  private boolean isClosed;

  /** Makes the disk that is looked at over a device. */
  interface Maker extends BiFunction<Disk, Dispatcher, Disk> {}

  /** A device that is never given more than so many requests at once. */
  private static final class Bounded extends ForwardingDisk {
    private final int depth;
    private int inFlight;

    Bounded(Disk device, int depth) {
      super(device);
      this.depth = depth;
    }

    @Override
    public void submit(DiskRequest request) {
      inFlight++;
      assertTrue(inFlight <= depth, "more in flight than " + depth);
      CompletionPort<Unit> port = request.port();
      pass(
          request.as(
              request.ioClass(),
              completion -> {
                inFlight--;
                port.complete(completion);
              }));
    }
  }

  /** The port of one asker, for one request. */
  private final class Port implements AskingPort {
    private final int asker;
    private final Consumer<Completion<Unit>> check;
    private boolean isOver;

    Port(int asker, Consumer<Completion<Unit>> check) {
      this.asker = asker;
      this.check = check;
      asked++;
    }

    @Override
    public int asker() {
      return asker;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      assertTrue(!isOver, "answered twice");
      isOver = true;
      answered++;
      check.accept(completion);
      goOn(asker);
    }
  }

  private SchedulingContract(long seed, Maker maker) {
    this.world =
        new SimWorld(
                seed,
                SimDiskConfig.ofBlocks(BLOCKS).withLatency(LEAST_SERVICE_NANOS, MOST_SERVICE_NANOS))
            .closesUnchecked("the blocks are no store's");
    this.random = world.random().split();
    this.disk = maker.apply(new Bounded(world.disk(), Contestant.DEPTH), world.dispatcher());
  }

  // ------------------------------------------------------------------ what is checked

  /** Nothing is lost, nothing done twice, and what overlaps keeps its order. */
  static void holdsUnderLoad(long seed, Maker maker) {
    SchedulingContract run = new SchedulingContract(seed, maker);
    run.load(400);
    run.untilAllAreAnswered();
    assertEquals(0, run.disk.counters().waiting());
  }

  /** Closing answers all that was let in, refuses the rest, and comes last. */
  static void closesWithWorkInside(long seed, Maker maker) {
    SchedulingContract run = new SchedulingContract(seed, maker);
    run.load(200);
    int before = run.random.nextInt(150);
    run.world.runUntil(() -> run.answered >= before);
    run.isClosed = true;
    List<Completion<Unit>> closed = new ArrayList<>();
    int inside = run.asked;
    run.disk.close(
        completion -> {
          assertEquals(inside, run.answered, "answered before the close");
          closed.add(completion);
        });
    run.world.runUntil(() -> !closed.isEmpty());
    List<Completion<Unit>> refused = new ArrayList<>();
    run.disk.submit(new DiskRequest.Sync(IoClass.LOG, refused::add));
    run.disk.close(closed::add);
    run.world.runUntil(() -> closed.size() == 2 && refused.size() == 1);
    assertInstanceOf(
        Failure.Closed.class,
        assertInstanceOf(Completion.Failed.class, refused.getFirst()).failure());
  }

  /** Nobody waits for longer than is stated, however many near reads come without an end. */
  static void nobodyStarves(long seed, Maker maker, long longestNanos) {
    SchedulingContract run = new SchedulingContract(seed, maker);
    boolean[] over = {false};
    for (int asker = 1; asker <= ASKERS; asker++) {
      run.readForEver(asker, 8L * asker, over);
    }
    int[] open = {0};
    for (IoClass ioClass : CLASSES) {
      long block = 80 + 2L * ioClass.ordinal();
      CompletionPort<Unit> port = run.new Port(7, done -> open[0]--);
      open[0]++;
      run.disk.submit(
          ioClass == IoClass.FOREGROUND_WRITE
              ? new DiskRequest.Write(block, List.of(run.filled(1, 1)), ioClass, port)
              : new DiskRequest.Read(block, List.of(run.filled(1, 0)), ioClass, port));
    }
    open[0]++;
    run.disk.submit(new DiskRequest.Sync(IoClass.LOG, run.new Port(7, done -> open[0]--)));
    boolean[] late = {false};
    run.world.dispatcher().schedule(longestNanos, () -> late[0] = true);
    run.world.runUntil(() -> open[0] == 0 || late[0]);
    assertEquals(0, open[0], "still wait after " + longestNanos + " ns");
    over[0] = true;
    run.untilAllAreAnswered();
  }

  // ------------------------------------------------------------------ how

  private void untilAllAreAnswered() {
    world.runUntil(() -> answered == asked && thinking == 0 && toAsk == 0);
  }

  private void load(int requests) {
    toAsk = requests;
    for (int asker = 1; asker <= ASKERS; asker++) {
      for (int i = 0; i < OUTSTANDING; i++) {
        goOn(asker);
      }
    }
  }

  private void goOn(int asker) {
    if (toAsk == 0 || isClosed) {
      toAsk = 0;
      return;
    }
    toAsk--;
    if (random.nextInt(4) == 0) {
      thinking++;
      world
          .dispatcher()
          .schedule(
              random.nextLong(3 * MOST_SERVICE_NANOS),
              () -> {
                thinking--;
                if (!isClosed) {
                  ask(asker);
                }
              });
    } else {
      ask(asker);
    }
  }

  private void ask(int asker) {
    IoClass ioClass = CLASSES[random.nextInt(CLASSES.length)];
    int blocks = 1 + random.nextInt(MAX_REQUEST_BLOCKS);
    int block = random.nextInt(BLOCKS - blocks);
    switch (random.nextInt(12)) {
      case 0 ->
          disk.submit(new DiskRequest.Sync(ioClass, new Port(asker, SchedulingContract::isDone)));
      case 1 -> {
        set(block, blocks, 0);
        Port port = new Port(asker, done -> holds(block, blocks, 0, done));
        disk.submit(new DiskRequest.Discard(block, blocks, ioClass, port));
      }
      case 2 -> {
        Port port = new Port(asker, SchedulingContract::isDone);
        disk.submit(new DiskRequest.Allocate(block, blocks, ioClass, port));
      }
      case 3, 4, 5 -> {
        int number = set(block, blocks, asked + 1);
        Port port = new Port(asker, done -> holds(block, blocks, number, done));
        disk.submit(new DiskRequest.Write(block, List.of(filled(blocks, number)), ioClass, port));
      }
      case 6 -> {
        int number = set(block, blocks, asked + 1);
        Port port = new Port(asker, done -> holds(block, blocks, number, done));
        disk.submit(
            new DiskRequest.DurableWrite(block, List.of(filled(blocks, number)), ioClass, port));
      }
      default -> read(asker, ioClass, block, blocks);
    }
  }

  private void read(int asker, IoClass ioClass, int block, int blocks) {
    int[] expected = Arrays.copyOfRange(numbers, block, block + blocks);
    ByteBuffer into = filled(blocks, -1);
    Port port =
        new Port(
            asker,
            done -> {
              isDone(done);
              for (int i = 0; i < blocks; i++) {
                assertEquals(expected[i], into.getInt(i * Disk.BLOCK_BYTES), "read out of order");
              }
            });
    disk.submit(new DiskRequest.Read(block, List.of(into), ioClass, port));
  }

  private void readForEver(int asker, long block, boolean[] over) {
    Port port =
        new Port(
            asker,
            done -> {
              if (!over[0]) {
                readForEver(asker, block, over);
              }
            });
    disk.submit(new DiskRequest.Read(block, List.of(filled(1, 0)), IoClass.FOREGROUND_READ, port));
  }

  private int set(int block, int blocks, int number) {
    Arrays.fill(numbers, block, block + blocks, number);
    return number;
  }

  private ByteBuffer filled(int blocks, int number) {
    ByteBuffer buffer = Disk.newBuffer(blocks * Disk.BLOCK_BYTES);
    for (int i = 0; i < blocks; i++) {
      buffer.putInt(i * Disk.BLOCK_BYTES, number);
    }
    return buffer;
  }

  private static void isDone(Completion<Unit> completion) {
    assertInstanceOf(Completion.Done.class, completion);
  }

  /** The device has it, and nothing that came later. */
  private void holds(int block, int blocks, int number, Completion<Unit> completion) {
    isDone(completion);
    for (int i = 0; i < blocks; i++) {
      byte[] bytes = world.disk().contents().read(block + i);
      assertEquals(
          number,
          ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(0),
          "written out of order, or not at all: block " + (block + i));
    }
  }
}
