package dev.upcall.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.Staged;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one turn of a long writing may cost, counted; and that all arrives with its checksum. */
class PlacingByTurnsTest {
  private static final int STEP_BLOCKS = 64;

  private static final int LIVES = 40;
  private static final int VOLUME_BLOCKS = 4096;

  /** Counts what each turn hands over. */
  private static final class CountingDisk extends ForwardingDisk {
    private int blocks;
    private int mostInWrite;

    CountingDisk(Disk disk) {
      super(disk);
    }

    @Override
    public void submit(DiskRequest request) {
      if (request instanceof DiskRequest.Write write) {
        int here = 0;
        for (ByteBuffer buffer : write.from()) {
          here += buffer.remaining() / Disk.BLOCK_BYTES;
        }
        blocks += here;
        mostInWrite = Math.max(mostInWrite, here);
      }
      pass(request);
    }
  }

  /** Refuses one write, and says so late. */
  private static final class RefusingDisk extends ForwardingDisk {
    static final Failure WHY = new Failure.Device("write", "refused");

    private final SimWorld world;
    private int left;

    RefusingDisk(SimWorld world, int before) {
      super(world.disk());
      this.world = world;
      this.left = before;
    }

    @Override
    public void submit(DiskRequest request) {
      if (request instanceof DiskRequest.Write write && left-- == 0) {
        world.dispatcher().complete(write.port(), Completion.failed(WHY));
      } else {
        pass(request);
      }
    }
  }

  private final Random random = new Random(7);

  @Test
  void eachTurnHandsOverItsPieceAndAllArrives() {
    for (int life = 0; life < LIVES; life++) {
      SimWorld world = SimWorld.ofBlocks(life, VOLUME_BLOCKS);
      CountingDisk disk = new CountingDisk(world.disk());
      List<ByteBuffer> buffers = buffers(1 + random.nextInt(700));
      List<Staged.NamedBlocks> named = places(buffers);
      boolean isCalm = random.nextBoolean();
      Supplier<IoClass> ioClass = () -> isCalm ? IoClass.BACKGROUND : IoClass.FOREGROUND_WRITE;
      List<Completion<Unit>> told = new ArrayList<>();
      PlacingByTurns.write(
          disk,
          new ContentPlacer.Pace(world.dispatcher(), ioClass, () -> STEP_BLOCKS),
          buffers,
          named,
          told::add);
      int largest = disk.blocks;
      while (told.isEmpty()) {
        int before = disk.blocks;
        world.dispatcher().turn(true);
        largest = Math.max(largest, disk.blocks - before);
      }
      assertTrue(largest <= STEP_BLOCKS, "in one turn " + largest);
      assertTrue(disk.mostInWrite <= ContentPlacer.mostBlocks(ioClass.get()), "in one write");
      assertEquals(List.of(Completion.done()), told);
      assertArrived(world, buffers, named);
    }
  }

  @Test
  void whereAWriteFailsAllHaveTheirChecksumsStill() {
    for (int life = 0; life < LIVES; life++) {
      SimWorld world = SimWorld.ofBlocks(life, VOLUME_BLOCKS);
      RefusingDisk disk = new RefusingDisk(world, random.nextInt(5));
      List<ByteBuffer> buffers = buffers(300);
      List<Staged.NamedBlocks> named = places(buffers);
      Completion<Unit> told =
          world.await(
              port ->
                  PlacingByTurns.write(
                      disk,
                      new ContentPlacer.Pace(
                          world.dispatcher(), () -> IoClass.BACKGROUND, () -> STEP_BLOCKS),
                      buffers,
                      named,
                      port));
      assertEquals(Completion.failed(RefusingDisk.WHY), told);
      assertArrayEquals(checksums(buffers), flat(named));
    }
  }

  /** So many blocks in buffers of 1 to 20 blocks. */
  private List<ByteBuffer> buffers(int blocks) {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int left = blocks; left > 0; ) {
      int some = Math.min(left, 1 + random.nextInt(20));
      byte[] bytes = new byte[some * Disk.BLOCK_BYTES];
      random.nextBytes(bytes);
      buffers.add(Disk.newBuffer(bytes.length).put(bytes).flip());
      left -= some;
    }
    return buffers;
  }

  /** Places for all, in extents of their own sizes, with gaps. */
  private List<Staged.NamedBlocks> places(List<ByteBuffer> buffers) {
    int left = checksums(buffers).length;
    List<Staged.NamedBlocks> named = new ArrayList<>();
    long at = 1;
    while (left > 0) {
      int some = Math.min(left, 1 + random.nextInt(150));
      named.add(new Staged.NamedBlocks(new Extent(at, some), new int[some]));
      at += some + random.nextInt(2);
      left -= some;
    }
    return named;
  }

  private static int[] checksums(List<ByteBuffer> buffers) {
    return buffers.stream()
        .flatMapToInt(
            buffer ->
                IntStream.range(0, buffer.remaining() / Disk.BLOCK_BYTES)
                    .map(
                        block ->
                            Checksums.crc32c(buffer, block * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES)))
        .toArray();
  }

  private static int[] flat(List<Staged.NamedBlocks> named) {
    return named.stream().flatMapToInt(blocks -> Arrays.stream(blocks.checksums())).toArray();
  }

  private static void assertArrived(
      SimWorld world, List<ByteBuffer> buffers, List<Staged.NamedBlocks> named) {
    assertArrayEquals(checksums(buffers), flat(named));
    for (Staged.NamedBlocks blocks : named) {
      for (int i = 0; i < blocks.extent().blocks(); i++) {
        ByteBuffer read = Disk.newBuffer(Disk.BLOCK_BYTES);
        long block = blocks.extent().block() + i;
        world.<Unit>get(
            port ->
                world
                    .disk()
                    .submit(
                        new DiskRequest.Read(block, List.of(read), IoClass.FOREGROUND_READ, port)));
        assertEquals(
            blocks.checksums()[i], Checksums.crc32c(read, 0, Disk.BLOCK_BYTES), "block " + block);
      }
    }
  }
}
