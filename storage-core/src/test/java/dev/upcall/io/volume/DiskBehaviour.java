package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.Errno;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every disk does; each implementation is put through it by a subclass. */
abstract class DiskBehaviour {
  static final int BLOCK = Disk.BLOCK_BYTES;
  static final int SIZE_BLOCKS = 256;

  /** A disk and the dispatcher that it lives on. */
  interface Machine extends AutoCloseable {
    Dispatcher dispatcher();

    /** A disk of {@link #SIZE_BLOCKS} zeros. */
    Disk disk();

    /** Turns until the condition holds; fails if it does not come to hold. */
    void runUntil(BooleanSupplier condition);

    @Override
    void close();
  }

  /** A new machine with a new disk whose transfers go through the filter. */
  abstract Machine machine(ResultFilter filter);

  private @Nullable Machine machine;
  private Disk disk;
  private Dispatcher dispatcher;

  @BeforeEach
  void start() {
    use(machine(ResultFilter.NONE));
  }

  @AfterEach
  void end() {
    machine.close();
  }

  private void use(Machine next) {
    if (machine != null) {
      machine.close();
    }
    machine = next;
    disk = next.disk();
    dispatcher = next.dispatcher();
  }

  // ------------------------------------------------------------------ helpers

  static final class Port implements CompletionPort<Unit> {
    private @Nullable Completion<Unit> completion;

    @Override
    public void complete(Completion<Unit> result) {
      Invariants.check(completion == null, "completed twice");
      completion = result;
    }

    boolean completed() {
      return completion != null;
    }
  }

  private Completion<Unit> run(Function<CompletionPort<Unit>, DiskRequest> request) {
    Port port = new Port();
    disk.submit(request.apply(port));
    assertFalse(port.completed(), "completed inside the call");
    machine.runUntil(port::completed);
    return port.completion;
  }

  private void ok(Function<CompletionPort<Unit>, DiskRequest> request) {
    assertEquals(Completion.done(), run(request));
  }

  private <F extends Failure> F fails(
      Class<F> type, Function<CompletionPort<Unit>, DiskRequest> request) {
    Completion<Unit> completion = run(request);
    return assertInstanceOf(type, assertInstanceOf(Completion.Failed.class, completion).failure());
  }

  static ByteBuffer random(int blocks, long seed) {
    byte[] bytes = new byte[blocks * BLOCK];
    new SplittableRandom(seed).nextBytes(bytes);
    return Disk.newBuffer(bytes.length).put(0, bytes);
  }

  static DiskRequest write(long block, ByteBuffer from, CompletionPort<Unit> port) {
    return new DiskRequest.Write(block, List.of(from), IoClass.FOREGROUND_WRITE, port);
  }

  static DiskRequest read(long block, ByteBuffer into, CompletionPort<Unit> port) {
    return new DiskRequest.Read(block, List.of(into), IoClass.FOREGROUND_READ, port);
  }

  static DiskRequest sync(CompletionPort<Unit> port) {
    return new DiskRequest.Sync(IoClass.LOG, port);
  }

  private ByteBuffer read(long block, int blocks) {
    ByteBuffer into = random(blocks, 1);
    ok(p -> read(block, into, p));
    return into;
  }

  private static void assertSame(ByteBuffer expected, ByteBuffer found) {
    assertEquals(-1, expected.mismatch(found), "contents differ at this byte");
  }

  // ------------------------------------------------------------------ behaviour

  @Test
  void everyRequestIsCountedWithItsBytes() {
    ok(p -> write(3, random(2, 1), p));
    ok(p -> new DiskRequest.DurableWrite(9, List.of(random(4, 2)), IoClass.LOG, p));
    read(3, 2);
    read(9, 1);
    ok(DiskBehaviour::sync);
    fails(Failure.Device.class, p -> read(SIZE_BLOCKS, random(1, 1), p));
    DiskCounters counters = disk.counters();
    assertEquals(0, counters.inFlight());
    assertEquals(0, counters.waiting());
    assertEquals(2L * BLOCK, counters.of(DiskOperation.WRITE).bytes());
    assertEquals(4L * BLOCK, counters.of(DiskOperation.DURABLE_WRITE).bytes());
    assertEquals(3L * BLOCK, counters.of(DiskOperation.READ).bytes());
    assertEquals(1, counters.of(DiskOperation.SYNC).requests());
    assertEquals(0, counters.of(DiskOperation.DISCARD).requests());
    for (DiskCounters.Kind kind : counters.kinds()) {
      assertEquals(kind.requests() > 0, kind.nanos().max() > 0, "time of " + kind.operation());
    }
  }

  @Test
  void neverWrittenBlocksAreZeros() {
    assertEquals(SIZE_BLOCKS, disk.sizeBlocks());
    assertSame(Disk.newBuffer(8 * BLOCK), read(0, 8));
    assertSame(Disk.newBuffer(BLOCK), read(SIZE_BLOCKS - 1, 1));
  }

  @Test
  void whatWasWrittenIsRead() {
    ByteBuffer data = random(8, 5);
    ok(p -> write(3, data, p));
    assertSame(data, read(3, 8));
    assertSame(data.slice(4 * BLOCK, 2 * BLOCK), read(7, 2));
    assertSame(Disk.newBuffer(BLOCK), read(2, 1));
    assertSame(Disk.newBuffer(BLOCK), read(11, 1));
  }

  @Test
  void buffersAreUsedFromPositionToLimitAndLeftAsTheyWere() {
    ByteBuffer data = random(8, 6);
    ByteBuffer part = data.duplicate().position(2 * BLOCK).limit(5 * BLOCK);
    ok(p -> write(10, part, p));
    assertEquals(2 * BLOCK, part.position());
    assertEquals(5 * BLOCK, part.limit());
    ByteBuffer into = Disk.newBuffer(8 * BLOCK);
    ByteBuffer window = into.duplicate().position(BLOCK).limit(4 * BLOCK);
    ok(p -> read(10, window, p));
    assertEquals(BLOCK, window.position());
    assertSame(data.slice(2 * BLOCK, 3 * BLOCK), into.slice(BLOCK, 3 * BLOCK));
    assertSame(Disk.newBuffer(BLOCK), into.slice(0, BLOCK));
    assertSame(Disk.newBuffer(BLOCK), into.slice(4 * BLOCK, BLOCK));
  }

  @Test
  void severalBuffersMakeOneTransfer() {
    List<ByteBuffer> parts = List.of(random(1, 1), random(3, 2), random(2, 3));
    ok(p -> new DiskRequest.Write(20, parts, IoClass.FOREGROUND_WRITE, p));
    List<ByteBuffer> into =
        List.of(Disk.newBuffer(2 * BLOCK), Disk.newBuffer(BLOCK), Disk.newBuffer(3 * BLOCK));
    ok(p -> new DiskRequest.Read(20, into, IoClass.FOREGROUND_READ, p));
    assertSame(joined(parts), joined(into));
    List<ByteBuffer> durable = List.of(random(2, 7), random(2, 8));
    ok(p -> new DiskRequest.DurableWrite(40, durable, IoClass.LOG, p));
    assertSame(joined(durable), read(40, 4));
  }

  private static ByteBuffer joined(List<ByteBuffer> parts) {
    ByteBuffer all = ByteBuffer.allocate(DiskRules.lengthBytes(parts));
    parts.forEach(part -> all.put(part.duplicate()));
    return all.flip();
  }

  @Test
  void largestTransfer() {
    int blocks = Disk.MAX_TRANSFER_BYTES / BLOCK;
    List<ByteBuffer> single = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      single.add(random(1, i));
    }
    ok(p -> new DiskRequest.Write(0, single, IoClass.BACKGROUND, p));
    assertSame(joined(single), read(0, blocks));
  }

  @Test
  void durableWritesAndSyncs() {
    ByteBuffer data = random(4, 9);
    ok(p -> new DiskRequest.DurableWrite(8, List.of(data), IoClass.LOG, p));
    ok(DiskBehaviour::sync);
    assertSame(data, read(8, 4));
  }

  @Test
  void growsByAllocatingOnly() {
    ByteBuffer data = random(1, 4);
    fails(Failure.Device.class, p -> write(SIZE_BLOCKS, data, p));
    fails(Failure.Device.class, p -> read(SIZE_BLOCKS - 1, Disk.newBuffer(2 * BLOCK), p));
    ok(p -> new DiskRequest.Allocate(SIZE_BLOCKS, 16, IoClass.BACKGROUND, p));
    assertEquals(SIZE_BLOCKS + 16, disk.sizeBlocks());
    assertSame(Disk.newBuffer(16 * BLOCK), read(SIZE_BLOCKS, 16));
    ok(p -> write(SIZE_BLOCKS + 15, data, p));
    ok(p -> new DiskRequest.Allocate(0, SIZE_BLOCKS + 16, IoClass.BACKGROUND, p));
    assertSame(data, read(SIZE_BLOCKS + 15, 1));
  }

  @Test
  void shrinksAndGrowsBackAsZeros() {
    ByteBuffer data = random(2, 4);
    ok(p -> write(98, data, p));
    ok(p -> write(200, data, p));
    ok(p -> new DiskRequest.Shrink(100, IoClass.BACKGROUND, p));
    assertEquals(100, disk.sizeBlocks());
    fails(Failure.Device.class, p -> read(100, Disk.newBuffer(BLOCK), p));
    fails(Failure.Device.class, p -> new DiskRequest.Shrink(101, IoClass.BACKGROUND, p));
    assertSame(data, read(98, 2));
    ok(p -> new DiskRequest.Allocate(100, 120, IoClass.BACKGROUND, p));
    assertSame(Disk.newBuffer(2 * BLOCK), read(200, 2));
  }

  @Test
  void discardedBlocksAreZerosAndCanBeWrittenAgain() {
    ByteBuffer data = random(32, 4);
    ok(p -> write(64, data, p));
    ok(p -> new DiskRequest.Discard(72, 16, IoClass.BACKGROUND, p));
    assertEquals(SIZE_BLOCKS, disk.sizeBlocks());
    assertSame(data.slice(0, 8 * BLOCK), read(64, 8));
    assertSame(Disk.newBuffer(16 * BLOCK), read(72, 16));
    assertSame(data.slice(24 * BLOCK, 8 * BLOCK), read(88, 8));
    ok(p -> write(72, data, p));
    assertSame(data, read(72, 32));
  }

  @Test
  void manyRequestsAtOnceAllComplete() {
    SplittableRandom random = new SplittableRandom(11);
    ByteBuffer data = random(SIZE_BLOCKS, 12);
    ok(p -> write(0, data, p));
    int requests = 5000;
    List<ByteBuffer> buffers = new ArrayList<>();
    int[] done = {0};
    long[] blocks = new long[requests];
    for (int i = 0; i < requests; i++) {
      blocks[i] = random.nextInt(SIZE_BLOCKS);
      ByteBuffer into = Disk.newBuffer(BLOCK);
      buffers.add(into);
      disk.submit(
          read(
              blocks[i],
              into,
              completion -> {
                assertEquals(Completion.done(), completion);
                done[0]++;
              }));
    }
    assertEquals(0, done[0]);
    machine.runUntil(() -> done[0] == requests);
    for (int i = 0; i < requests; i++) {
      assertSame(data.slice((int) blocks[i] * BLOCK, BLOCK), buffers.get(i));
    }
  }

  @Test
  void randomRequestsAgreeWithAModel() {
    againstModel(21, 60);
  }

  /** Batches of requests that do not touch each other, checked against an array. */
  private void againstModel(long seed, int rounds) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer model = ByteBuffer.allocate(SIZE_BLOCKS * BLOCK);
    List<Port> ports = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int at = random.nextInt(16);
      ports.clear();
      checks.clear();
      while (at < SIZE_BLOCKS) {
        int blocks = Math.min(1 + random.nextInt(24), SIZE_BLOCKS - at);
        Port port = new Port();
        ports.add(port);
        int block = at;
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            ByteBuffer data = random(blocks, random.nextLong());
            model.put(block * BLOCK, data, 0, blocks * BLOCK);
            List<ByteBuffer> parts = split(data, random);
            disk.submit(
                random.nextBoolean()
                    ? new DiskRequest.Write(block, parts, IoClass.FOREGROUND_WRITE, port)
                    : new DiskRequest.DurableWrite(block, parts, IoClass.LOG, port));
          }
          case 3 -> {
            model.put(block * BLOCK, new byte[blocks * BLOCK]);
            disk.submit(new DiskRequest.Discard(block, blocks, IoClass.BACKGROUND, port));
          }
          case 4 -> disk.submit(sync(port));
          default -> {
            ByteBuffer into = Disk.newBuffer(blocks * BLOCK);
            disk.submit(
                new DiskRequest.Read(block, split(into, random), IoClass.FOREGROUND_READ, port));
            checks.add(() -> assertSame(model.slice(block * BLOCK, blocks * BLOCK), into));
          }
        }
        at += blocks + random.nextInt(8);
      }
      machine.runUntil(() -> ports.stream().allMatch(Port::completed));
      ports.forEach(port -> assertEquals(Completion.done(), port.completion));
      checks.forEach(Runnable::run);
    }
  }

  private static List<ByteBuffer> split(ByteBuffer data, SplittableRandom random) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int at = 0; at < data.capacity(); ) {
      int bytes = Math.min((1 + random.nextInt(24)) * BLOCK, data.capacity() - at);
      parts.add(data.slice(at, bytes));
      at += bytes;
    }
    return parts;
  }

  @Test
  void shortAndInterruptedTransfersAreContinued() {
    SplittableRandom random = new SplittableRandom(31);
    int[] strikes = {0};
    use(
        machine(
            (request, result) -> {
              synchronized (random) {
                if (result < 0) {
                  return result;
                }
                return switch (random.nextInt(6)) {
                  case 0 -> {
                    strikes[0]++;
                    yield -Errno.EINTR;
                  }
                  case 1 -> {
                    strikes[0]++;
                    yield -Errno.EAGAIN;
                  }
                  case 2 -> {
                    strikes[0]++;
                    // Not whole blocks either: the rest must stay aligned.
                    yield result > BLOCK ? 1 + random.nextInt(result - 1) : result;
                  }
                  default -> result;
                };
              }
            }));
    againstModel(33, 40);
    assertTrue(strikes[0] > 100 || !filters(), "the filter had no effect: " + strikes[0]);
  }

  /** Whether the implementation has a place for the filter. */
  boolean filters() {
    return true;
  }

  @Test
  void errorsOfTheDeviceAreFailures() {
    int[] errno = {Errno.EIO};
    use(
        machine(
            (request, result) ->
                request instanceof DiskRequest.Read && request.ioClass() == IoClass.BACKGROUND
                    ? -errno[0]
                    : result));
    if (!filters()) {
      return;
    }
    ByteBuffer into = Disk.newBuffer(BLOCK);
    Function<CompletionPort<Unit>, DiskRequest> request =
        p -> new DiskRequest.Read(7, List.of(into), IoClass.BACKGROUND, p);
    assertTrue(fails(Failure.Device.class, request).message().contains("Input/output error"));
    errno[0] = Errno.ENOSPC;
    fails(Failure.VolumeFull.class, request);
    // Neither end of a transfer that never gets on: interrupted for ever.
    errno[0] = Errno.EINTR;
    fails(Failure.Device.class, request);
    assertSame(Disk.newBuffer(BLOCK), read(7, 1));
  }

  @Test
  void closingServesWhatWasAcceptedAndRefusesTheRest() {
    ByteBuffer data = random(1, 4);
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      disk.submit(write(i, data, done -> order.add(done.equals(Completion.done()) ? "w" : "?")));
    }
    disk.close(done -> order.add("closed"));
    Port late = new Port();
    disk.submit(read(0, Disk.newBuffer(BLOCK), late));
    assertFalse(late.completed(), "completed inside the call");
    machine.runUntil(() -> order.contains("closed"));
    assertEquals(101, order.size());
    assertEquals("closed", order.getLast());
    assertFalse(order.contains("?"));
    assertEquals(
        Failure.Closed.class,
        assertInstanceOf(Completion.Failed.class, late.completion).failure().getClass());
    assertNotNull(disk.name());
  }

  @Test
  void malformedRequestsAreProgrammersErrors() {
    ByteBuffer good = Disk.newBuffer(2 * BLOCK);
    List<DiskRequest> bad =
        List.of(
            read(0, ByteBuffer.allocate(BLOCK), done -> {}),
            read(0, good.slice(512, BLOCK), done -> {}),
            read(0, good.slice(0, 512), done -> {}),
            read(-1, good, done -> {}),
            read(0, Disk.newBuffer(Disk.MAX_TRANSFER_BYTES + BLOCK), done -> {}),
            new DiskRequest.Read(0, List.of(), IoClass.LOG, done -> {}),
            new DiskRequest.Allocate(0, 0, IoClass.LOG, done -> {}),
            new DiskRequest.Discard(-1, 1, IoClass.LOG, done -> {}),
            new DiskRequest.Shrink(0, IoClass.LOG, done -> {}));
    for (DiskRequest request : bad) {
      assertThrows(Invariants.Violation.class, () -> disk.submit(request), request.toString());
    }
    ok(p -> read(0, good, p));
    assertTrue(dispatcher.isOwner());
  }
}
