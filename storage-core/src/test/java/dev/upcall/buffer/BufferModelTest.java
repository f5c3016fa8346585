package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.buffer.replacement.ClockPolicy;
import dev.upcall.buffer.replacement.LruPolicy;
import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.buffer.replacement.S3FifoPolicy;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.MachineStats;
import dev.upcall.fsm.Transitions;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.FaultPlan;
import dev.upcall.space.Extent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A random workload against a model: every block's content is known by address and version. */
class BufferModelTest {
  private static final int DISK_BLOCKS = 320;
  private static final int STEPS = 500;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whateverHappensNobodySeesOtherBytesThanHeAskedFor(long seed) {
    Workload first = new Workload(seed);
    first.run();
    Workload second = new Workload(seed);
    second.run();
    assertEquals(first.w.world.disk().traceHash(), second.w.world.disk().traceHash());
    assertEquals(first.w.buffers.counters(), second.w.buffers.counters());
  }

  @Test
  void everyDeclaredTransitionIsTaken() {
    TreeMap<String, Long> taken = new TreeMap<>();
    for (long seed = 1; seed <= 60; seed++) {
      Workload workload = new Workload(seed);
      workload.run();
      for (MachineStats stats : workload.w.world.dispatcher().recorder().stats()) {
        for (MachineStats.Taken move : stats.taken()) {
          String name = stats.transitions().machine() + " " + move.from() + " -> " + move.to();
          taken.merge(name, move.count(), Long::sum);
        }
      }
    }
    for (Transitions<?> machine :
        List.of(Frame.TRANSITIONS, Load.TRANSITIONS, ReadRequest.TRANSITIONS)) {
      for (Transitions.Transition<?> move : machine.declared()) {
        String name = machine.machine() + " " + move.from() + " -> " + move.to();
        assertTrue(taken.getOrDefault(name, 0L) > 0, name + " never taken; taken: " + taken);
      }
    }
  }

  /** A read that was asked for. */
  private final class Reading {
    final Workload workload;
    final int first;
    final int[] versions;
    boolean forgotten;

    Reading(Workload workload, int first, int blocks) {
      this.workload = workload;
      this.first = first;
      this.versions = new int[blocks];
      for (int i = 0; i < blocks; i++) {
        versions[i] = workload.w.version(first + i);
      }
    }

    void complete(Completion<List<Lease>> completion) {
      workload.open.remove(this);
      switch (completion) {
        case Completion.Done<List<Lease>> done -> {
          int block = first;
          for (Lease lease : done.value()) {
            int[] wanted = new int[lease.blocks()];
            System.arraycopy(versions, block - first, wanted, 0, wanted.length);
            Holding holding = new Holding(lease, block, wanted);
            holding.check(workload.w);
            workload.held.add(holding);
            block += lease.blocks();
          }
          assertEquals(first + versions.length, block);
        }
        case Completion.Failed<List<Lease>> failed -> workload.checkFailure(failed.failure(), this);
      }
    }
  }

  /** A lease, and what its bytes must be as long as it is held. */
  private record Holding(Lease lease, int first, int[] versions) {
    void check(BufferWorld w) {
      w.checkBytes(lease, first, versions);
    }
  }

  private final class Workload {
    final BufferWorld w;
    final BufferManager buffers;
    final SplittableRandom random;
    final List<Holding> held = new ArrayList<>();
    final List<Lease> filling = new ArrayList<>();
    final Set<Reading> open = new HashSet<>();
    final Set<Long> rotten = new HashSet<>();
    final boolean errors;
    int allocating;
    int version = 1;

    Workload(long seed) {
      random = new SplittableRandom(seed);
      int groups = 1 + random.nextInt(5);
      BufferConfig config =
          BufferConfig.ofBudget((long) groups * BufferWorld.GROUP)
              .withMaxWaiting(1 + random.nextInt(12));
      ReplacementPolicy policy =
          switch (random.nextInt(3)) {
            case 0 -> new LruPolicy(config.capacityBlocks());
            case 1 -> new ClockPolicy(config.capacityBlocks());
            default -> new S3FifoPolicy(config.capacityBlocks());
          };
      w = new BufferWorld(seed, DISK_BLOCKS, config, policy);
      buffers = w.buffers;
      errors = random.nextInt(3) == 0;
      if (errors) {
        w.world.disk().setFaults(FaultPlan.NONE.withErrors(30_000, 0, 0));
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        int turns = random.nextInt(4);
        for (int i = 0; i < turns; i++) {
          w.world.dispatcher().turn(true);
        }
        StructureCheck.check(buffers);
      }
      // All that is held is given up, and all that waits for it must come to an end.
      while (!open.isEmpty() || allocating > 0 || !held.isEmpty() || !filling.isEmpty()) {
        held.forEach(this::giveUp);
        held.clear();
        filling.forEach(Lease::release);
        filling.clear();
        w.world.runUntilIdle();
      }
      StructureCheck.check(buffers);
      assertEquals(0, buffers.counters().pinnedBytes());
      assertEquals(0, buffers.counters().leases());
      List<Completion<Unit>> closed = new ArrayList<>();
      buffers.close(closed::add);
      w.world.runUntilIdle();
      assertEquals(1, closed.size());
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> read();
        case 3, 4 -> pin();
        case 5, 6, 7 -> giveUpSome();
        case 8 -> allocate();
        case 9 -> publish();
        case 10 -> reuse();
        default -> {
          switch (random.nextInt(3)) {
            case 0 -> prefetch();
            case 1 -> rot();
            default -> heal();
          }
        }
      }
    }

    void read() {
      int first = block();
      int most = Math.min(DISK_BLOCKS - first, w.config.capacityBlocks());
      int blocks = 1 + random.nextInt(Math.min(most, random.nextInt(4) == 0 ? 48 : 6));
      Reading reading = new Reading(this, first, blocks);
      open.add(reading);
      buffers.read(
          w.run(first, blocks), IoClass.FOREGROUND_READ, BufferWorld.OWNER, reading::complete);
    }

    void pin() {
      int first = block();
      int most = 1 + random.nextInt(Math.min(4, DISK_BLOCKS - first));
      Lease lease = buffers.pin(first, most, BufferWorld.OWNER);
      if (lease != null) {
        held.add(new Holding(lease, first, new Reading(this, first, lease.blocks()).versions));
        held.getLast().check(w);
      }
    }

    void giveUpSome() {
      int some = random.nextInt(1 + Math.min(held.size(), 6));
      for (int i = 0; i < some; i++) {
        giveUp(held.remove(random.nextInt(held.size())));
      }
      if (!filling.isEmpty() && random.nextInt(4) == 0) {
        filling.removeFirst().release();
      }
    }

    void giveUp(Holding holding) {
      holding.check(w);
      holding.lease().release();
    }

    void allocate() {
      int blocks = 1 + random.nextInt(16);
      allocating++;
      buffers.allocate(
          blocks,
          BufferWorld.OWNER,
          completion -> {
            allocating--;
            switch (completion) {
              case Completion.Done<Lease> done -> filling.add(done.value());
              case Completion.Failed<Lease> failed -> checkFailure(failed.failure(), null);
            }
          });
    }

    /** A filled frame is written to a place whose old content was freed, and published. */
    void publish() {
      if (filling.isEmpty()) {
        return;
      }
      Lease lease = filling.removeFirst();
      int first = random.nextInt(DISK_BLOCKS - lease.blocks() + 1);
      int blocks = 1 + random.nextInt(lease.blocks());
      free(first, blocks);
      version++;
      for (int i = 0; i < blocks; i++) {
        lease.buffer().put(i * Disk.BLOCK_BYTES, BufferWorld.content(first + i, version));
        w.write(first + i, version);
        rotten.remove((long) first + i);
      }
      buffers.publish(lease, first, blocks);
      held.add(new Holding(lease, first, new Reading(this, first, blocks).versions));
    }

    /** An extent is freed and gets other content. */
    void reuse() {
      int first = block();
      int blocks = 1 + random.nextInt(Math.min(40, DISK_BLOCKS - first));
      free(first, blocks);
      version++;
      for (int i = 0; i < blocks; i++) {
        w.write(first + i, version);
      }
    }

    void free(int first, int blocks) {
      buffers.forget(new Extent(first, blocks));
      for (Reading reading : open) {
        if (reading.first < first + blocks && first < reading.first + reading.versions.length) {
          reading.forgotten = true;
        }
      }
    }

    void prefetch() {
      int first = block();
      int blocks = 1 + random.nextInt(Math.min(64, DISK_BLOCKS - first));
      buffers.prefetch(w.run(first, blocks), IoClass.READ_AHEAD);
    }

    void rot() {
      int block = block();
      w.world.disk().contents().flipBit(block, random.nextInt(Disk.BLOCK_BYTES * 8));
      rotten.add((long) block);
    }

    void heal() {
      for (long block : rotten) {
        w.write((int) block, w.version((int) block));
      }
    }

    void checkFailure(Failure failure, Reading reading) {
      switch (failure) {
        case Failure.Busy busy -> {}
        case Failure.Conflict conflict -> assertTrue(reading.forgotten, failure.message());
        case Failure.Device device -> assertTrue(errors, failure.message());
        case Failure.Corrupt corrupt -> {
          long block = corrupt.offsetBytes() / Disk.BLOCK_BYTES;
          assertTrue(rotten.contains(block) || reading.forgotten, failure.message());
        }
        default -> throw new AssertionError(failure.message() + "; seed " + w.world.seed());
      }
    }

    /** Mostly from a hot part, so that there are hits. */
    private int block() {
      return random.nextInt(random.nextInt(3) == 0 ? DISK_BLOCKS : 48);
    }
  }
}
