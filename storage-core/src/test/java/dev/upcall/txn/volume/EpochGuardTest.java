package dev.upcall.txn.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.log.LogRecovery;
import dev.upcall.txn.log.LogWorkload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochGuardTest {
  private static final long BLOCK = LogWorkload.LAYOUT.dataStart();
  private static final long SLEPT_NANOS = Epoch.TRUST_NANOS + 1;

  private static final Completion<Unit> FAILED =
      Completion.failed(new Failure.Device("sim", "unreadable"));

  private final SimWorld world =
      SimWorld.ofBlocks(1, LogWorkload.VOLUME_BLOCKS).closesUnchecked("it holds superblocks only");
  private final LateReads disk = new LateReads(world.disk());
  private final EpochGuard guard = new EpochGuard(disk, world.dispatcher(), Faults.NONE);
  private final List<Failure> heard = new ArrayList<>();

  /** A disk that keeps what its reads have come to until somebody takes it. */
  private static final class LateReads extends ForwardingDisk {
    private final List<Runnable> served = new ArrayList<>();
    private boolean late;
    private boolean unreadable;

    LateReads(Disk disk) {
      super(disk);
    }

    @Override
    public void submit(DiskRequest request) {
      if (late && request instanceof DiskRequest.Read read) {
        CompletionPort<Unit> port = read.port();
        CompletionPort<Unit> later =
            completion -> served.add(() -> port.complete(unreadable ? FAILED : completion));
        pass(new DiskRequest.Read(read.block(), read.into(), read.ioClass(), later));
      } else {
        pass(request);
      }
    }

    void take() {
      List<Runnable> present = List.copyOf(served);
      served.clear();
      present.forEach(Runnable::run);
    }
  }

  private static Superblock superblock(long sequence) {
    return new Superblock(
        7,
        sequence,
        100,
        new LogPoint(1, 1, 5, 6),
        List.of(),
        8,
        9,
        LogWorkload.LAYOUT,
        LogWorkload.VOLUME_BLOCKS,
        400,
        10,
        /* features= */ 0);
  }

  private void open() {
    world.<Unit>get(port -> new Superblocks(world.dispatcher(), disk).write(superblock(1), port));
    guard.whenLost(heard::add);
    takeOver(world, guard);
  }

  private static void takeOver(SimWorld world, Disk disk) {
    Superblocks superblocks = new Superblocks(world.dispatcher(), disk);
    world.<Superblock>get(port -> LogRecovery.open(superblocks, port));
    world.<Superblock>get(superblocks::raise);
  }

  private static DiskRequest write(CompletionPort<Unit> port) {
    return new DiskRequest.Write(
        BLOCK, List.of(Disk.newBuffer(Disk.BLOCK_BYTES)), IoClass.LOG, port);
  }

  /** A write whose look has been read by the kernel, and comes to nobody yet. */
  private List<Completion<Unit>> writeWithLateLook() {
    world.clock().advance(SLEPT_NANOS);
    disk.late = true;
    List<Completion<Unit>> answers = new ArrayList<>();
    world.dispatcher().post(() -> guard.submit(write(answers::add)));
    assertTrue(world.runUntil(() -> disk.served.size() == Epoch.LOOKED_AT.size()));
    return answers;
  }

  /** The look comes, and the write is refused. */
  private void assertOvertaken(List<Completion<Unit>> answers) {
    disk.late = false;
    world.dispatcher().post(disk::take);
    assertTrue(world.runUntil(() -> !answers.isEmpty()));

    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, answers.getFirst());
    assertEquals(List.of(failed.failure()), heard);
  }

  /** The kernel has read the copies, then the machine sleeps, then the store goes on. */
  @Test
  void aLookThatWasSleptOverIsMadeAgain() {
    open();
    List<Completion<Unit>> answers = writeWithLateLook();

    SimWorld other = world.reopen(world.disk().land());
    takeOver(other, other.disk());
    DiskImage left = other.disk().land();
    world.disk().writtenElsewhere(left);
    world.clock().advance(SLEPT_NANOS);
    assertOvertaken(answers);
    assertEquals(left.digest(), world.disk().contents().digest());
  }

  /** Neither copy can be read, once; the store is overtaken all the same. */
  @Test
  void aLookThatHasReadNoCopyIsMadeAgain() {
    open();
    disk.unreadable = true;
    List<Completion<Unit>> answers = writeWithLateLook();

    SimWorld other = world.reopen(world.disk().land());
    takeOver(other, other.disk());
    world.disk().writtenElsewhere(other.disk().land());
    assertOvertaken(answers);
  }

  /** No look is ever as young as it should be. */
  @Test
  void aDiskThatIsSlowIsWrittenAllTheSame() {
    open();
    world.clock().advance(SLEPT_NANOS);
    disk.late = true;
    List<Completion<Unit>> answers = new ArrayList<>();
    world.dispatcher().post(() -> guard.submit(write(answers::add)));
    for (int look = 0; look < Epoch.MOST_LOOKS; look++) {
      assertTrue(world.runUntil(() -> disk.served.size() == Epoch.LOOKED_AT.size()));
      world.clock().advance(SLEPT_NANOS);
      world.dispatcher().post(disk::take);
      world.dispatcher().turn(false);
    }
    assertTrue(world.runUntil(() -> !answers.isEmpty()));
    assertEquals(List.of(Completion.done()), answers);
  }

  /** Whoever schedules may send the copies of one superblock in any order. */
  @Test
  void theSecondCopyOfAnOwnOneMayGoFirst() {
    open();
    int copy = Epoch.LOOKED_AT.getLast();
    ByteBuffer own = SuperblockCodec.encode(superblock(9), copy);
    world.<Unit>get(
        port -> guard.submit(new DiskRequest.Write(copy, List.of(own), IoClass.BACKGROUND, port)));
    world.clock().advance(SLEPT_NANOS);
    List<Completion<Unit>> answers = new ArrayList<>();
    world.dispatcher().post(() -> guard.submit(write(answers::add)));
    assertTrue(world.runUntil(() -> !answers.isEmpty()));
    assertEquals(List.of(Completion.done()), answers);
    assertEquals(List.of(), heard);
  }

  @Test
  void whatWaitsForALookGoesOnForWhomItServes() {
    open();
    world.clock().advance(SLEPT_NANOS);
    List<Long> served = new ArrayList<>();
    world.dispatcher().post(() -> List.of(1L, 2L, 3L).forEach(asker -> submitFor(asker, served)));
    assertTrue(world.runUntil(() -> served.size() == 3));
    served.sort(null);
    assertEquals(List.of(1L, 2L, 3L), served);
    assertEquals(List.of(), heard);
  }

  private void submitFor(long asker, List<Long> served) {
    FlightRecorder recorder = world.dispatcher().recorder();
    CompletionPort<Unit> port = completion -> served.add(recorder.current());
    recorder.serving(
        asker, () -> guard.submit(new DiskRequest.Allocate(BLOCK, 1, IoClass.LOG, port)));
  }
}
