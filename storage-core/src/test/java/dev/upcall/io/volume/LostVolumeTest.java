package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each disk says, and still does, when its file is taken away while it is open. */
class LostVolumeTest {
  private static final int SIZE_BLOCKS = DiskBehaviour.SIZE_BLOCKS;
  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** The disks. */
  private enum Kind {
    RING,
    CHANNEL,
    SIMULATED;

    Machine machine() {
      if (this == SIMULATED) {
        return new Simulated();
      }
      NettyReactor reactor =
          this == RING ? NettyReactor.create() : NettyReactor.create(NettyReactor.Transport.NIO);
      return Real.on(new RealMachine(reactor), this == RING ? DiskKind.AUTO : DiskKind.CHANNEL);
    }
  }

  /** A disk whose file somebody else can reach. */
  private interface Machine extends AutoCloseable {
    Disk disk();

    void runUntil(BooleanSupplier condition);

    void remove();

    void cut(long toBlocks);

    @Override
    void close();
  }

  private record Simulated(SimWorld world) implements Machine {
    Simulated() {
      this(SimWorld.ofBlocks(42, SIZE_BLOCKS).closesUnchecked("the blocks are no store's"));
    }

    @Override
    public Disk disk() {
      return world.disk();
    }

    @Override
    public void runUntil(BooleanSupplier condition) {
      assertTrue(world.runUntil(condition));
    }

    @Override
    public void remove() {
      world.disk().remove();
    }

    @Override
    public void cut(long toBlocks) {
      world.disk().cut(toBlocks);
    }

    @Override
    public void close() {}
  }

  private record Real(RealMachine machine, Path path) implements Machine {
    static Real on(RealMachine machine, DiskKind kind) {
      Path path = machine.path("volume");
      VolumeSpec spec = VolumeSpec.create(path, kind, SIZE_BLOCKS);
      return new Real(machine.with(spec, ResultFilter.NONE), path);
    }

    @Override
    public Disk disk() {
      return machine.disk();
    }

    @Override
    public void runUntil(BooleanSupplier condition) {
      machine.runUntil(condition);
    }

    /** Replaced by another file, as an editor does: there is one under the name all the same. */
    @Override
    public void remove() {
      try {
        Path other = Files.write(path.resolveSibling("other"), new byte[SIZE_BLOCKS * BLOCK]);
        Files.move(other, path, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    @Override
    public void cut(long toBlocks) {
      try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.truncate(toBlocks * BLOCK);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    @Override
    public void close() {
      machine.close();
    }
  }

  private static Completion<Unit> run(
      Machine machine, Function<CompletionPort<Unit>, DiskRequest> request) {
    DiskBehaviour.Port port = new DiskBehaviour.Port();
    List<Completion<Unit>> answers = new ArrayList<>();
    machine
        .disk()
        .submit(
            request.apply(
                completion -> {
                  port.complete(completion);
                  answers.add(completion);
                }));
    machine.runUntil(port::completed);
    return answers.getFirst();
  }

  private static DiskRequest stat(CompletionPort<Unit> port) {
    return new DiskRequest.Stat(IoClass.FOREGROUND_WRITE, port);
  }

  /** What the store itself cuts and makes longer is no loss, whichever request is served first. */
  @ParameterizedTest
  @EnumSource
  void aVolumeThatIsResizedIsWhole(Kind kind) {
    SplittableRandom random = new SplittableRandom(3);
    try (Machine machine = kind.machine()) {
      for (int round = 0; round < 60; round++) {
        long size = machine.disk().sizeBlocks();
        long to = 64 + random.nextLong(256);
        int at = random.nextInt(5);
        List<Completion<Unit>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          machine
              .disk()
              .submit(
                  i != at
                      ? stat(answers::add)
                      : to < size
                          ? new DiskRequest.Shrink(to, IoClass.BACKGROUND, answers::add)
                          : new DiskRequest.Allocate(
                              size, to - size + 1, IoClass.BACKGROUND, answers::add));
        }
        machine.runUntil(() -> answers.size() == 5);
        for (Completion<Unit> answer : answers) {
          assertEquals(Completion.done(), answer, "round " + round);
        }
      }
      assertEquals(240, machine.disk().counters().of(DiskOperation.STAT).requests());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatWasReplacedIsOnlyRead(Kind kind) {
    try (Machine machine = kind.machine()) {
      ByteBuffer content = DiskBehaviour.random(2, 7);
      run(machine, port -> DiskBehaviour.write(3, content, port));
      machine.remove();
      onlyReads(machine, "its file was removed while the store had it open");
      assertReads(machine, content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatWasCutIsOnlyRead(Kind kind) {
    try (Machine machine = kind.machine()) {
      ByteBuffer content = DiskBehaviour.random(2, 7);
      run(machine, port -> DiskBehaviour.write(3, content, port));
      machine.cut(SIZE_BLOCKS - 1);
      String sentence = "its file was cut to %d bytes while the store had it open; it had %d";
      onlyReads(machine, sentence.formatted((SIZE_BLOCKS - 1) * BLOCK, SIZE_BLOCKS * BLOCK));
      assertReads(machine, content);
    }
  }

  private static void onlyReads(Machine machine, String sentence) {
    Failure why = failure(machine, LostVolumeTest::stat);
    assertTrue(why.message().endsWith(sentence), why::message);
    List<ByteBuffer> block = List.of(DiskBehaviour.random(1, 9));
    List<Function<CompletionPort<Unit>, DiskRequest>> changes =
        List.of(
            port -> new DiskRequest.Write(3, block, IoClass.FOREGROUND_WRITE, port),
            port -> new DiskRequest.DurableWrite(3, block, IoClass.LOG, port),
            port -> new DiskRequest.Sync(IoClass.LOG, port),
            port -> new DiskRequest.Allocate(SIZE_BLOCKS, 8, IoClass.BACKGROUND, port),
            port -> new DiskRequest.Discard(3, 1, IoClass.BACKGROUND, port),
            port -> new DiskRequest.Shrink(3, IoClass.BACKGROUND, port),
            LostVolumeTest::stat);
    changes.forEach(change -> assertEquals(why, failure(machine, change)));
  }

  private static Failure failure(
      Machine machine, Function<CompletionPort<Unit>, DiskRequest> request) {
    Completion<Unit> answer = run(machine, request);
    return ((Completion.Failed<?>) assertInstanceOf(Completion.Failed.class, answer)).failure();
  }

  private static void assertReads(Machine machine, ByteBuffer content) {
    ByteBuffer into = DiskBehaviour.random(2, 1);
    assertEquals(Completion.done(), run(machine, port -> DiskBehaviour.read(3, into, port)));
    assertEquals(-1, content.mismatch(into), "contents differ at this byte");
  }
}
