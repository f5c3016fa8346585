package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.buffer.replacement.ReplacementPolicy;
import dev.upcall.buffer.replacement.S3FifoPolicy;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.Coding;
import dev.upcall.coding.Workers;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * A buffer manager over a simulated disk whose blocks hold content known by address and version.
 */
final class BufferWorld {
  static final LeaseOwner OWNER = new LeaseOwner("test", 1);
  static final int GROUP = BufferConfig.GROUP_BYTES;

  private static final byte[] PATTERN = new byte[2 * Disk.BLOCK_BYTES];

  static {
    new SplittableRandom(1).nextBytes(PATTERN);
  }

  final SimWorld world;
  final BufferConfig config;
  final BufferManager buffers;
  private final int[] versions;
  private final int[] crcs;

  BufferWorld(long seed, int groups, int diskBlocks) {
    this(seed, diskBlocks, BufferConfig.ofBudget((long) groups * GROUP).tracingOrigins());
  }

  BufferWorld(long seed, int diskBlocks, BufferConfig config) {
    this(seed, diskBlocks, config, new S3FifoPolicy(config.capacityBlocks()));
  }

  BufferWorld(long seed, int diskBlocks, BufferConfig config, ReplacementPolicy policy) {
    world = SimWorld.ofBlocks(seed, diskBlocks);
    world.dispatcher().adopt();
    this.config = config;
    buffers =
        new BufferManager(
            config,
            world.dispatcher(),
            new BufferManager.Parts(
                world.disk(), policy, new Coding(Codecs.NONE, new Workers(world.dispatcher()))),
            Faults.NONE);
    versions = new int[diskBlocks];
    crcs = new int[diskBlocks];
    for (int block = 0; block < diskBlocks; block++) {
      write(block, 0);
    }
  }

  static byte[] content(long block, int version) {
    byte[] bytes = new byte[Disk.BLOCK_BYTES];
    int from = (int) ((block * 31 + version * 17L) % Disk.BLOCK_BYTES);
    System.arraycopy(PATTERN, from, bytes, 0, bytes.length);
    ByteBuffer.wrap(bytes).putLong(block).putInt(version);
    return bytes;
  }

  /** Content of a version is on disk from now on, by magic. */
  void write(int block, int version) {
    byte[] bytes = content(block, version);
    world.disk().contents().put(block, bytes);
    expect(block, version);
  }

  /** Readers want this version from now on. */
  void expect(int block, int version) {
    CRC32C crc = new CRC32C();
    crc.update(content(block, version));
    versions[block] = version;
    crcs[block] = (int) crc.getValue();
  }

  /** Turns for a while in which whoever waits for memory still does. */
  void aSecond() {
    boolean[] over = {false};
    world.dispatcher().schedule(1_000_000_000L, () -> over[0] = true);
    world.runUntil(() -> over[0]);
  }

  int version(int block) {
    return versions[block];
  }

  BlockRun run(int first, int blocks) {
    return new BlockRun(first, blocks, Arrays.copyOfRange(crcs, first, first + blocks), 0);
  }

  List<Lease> read(int first, int blocks) {
    return world.get(
        port -> buffers.read(run(first, blocks), IoClass.FOREGROUND_READ, OWNER, port));
  }

  Failure readFails(int first, int blocks) {
    Completion<List<Lease>> completion =
        world.await(port -> buffers.read(run(first, blocks), IoClass.FOREGROUND_READ, OWNER, port));
    if (completion instanceof Completion.Failed<List<Lease>> failed) {
      return failed.failure();
    }
    throw new AssertionError("got " + completion);
  }

  void readAndRelease(int first, int blocks) {
    List<Lease> leases = read(first, blocks);
    check(leases, first, blocks);
    release(leases);
  }

  void check(List<Lease> leases, int first, int blocks) {
    int block = first;
    for (Lease lease : leases) {
      checkBytes(lease, block, null);
      block += lease.blocks();
    }
    assertEquals(first + blocks, block, "leases cover the run");
  }

  /** Compares a lease with the content of the given versions, or the present ones. */
  void checkBytes(Lease lease, int firstBlock, int[] wanted) {
    ByteBuffer bytes = lease.buffer();
    assertEquals(lease.sizeBytes(), bytes.remaining());
    for (int i = 0; i < lease.blocks(); i++) {
      int version = wanted == null ? versions[firstBlock + i] : wanted[i];
      byte[] found = new byte[Disk.BLOCK_BYTES];
      bytes.get(found);
      byte[] expected = content(firstBlock + i, version);
      if (!Arrays.equals(expected, found)) {
        ByteBuffer header = ByteBuffer.wrap(found);
        throw new AssertionError(
            "block %d version %d expected, found block %d version %d; seed %d"
                .formatted(
                    firstBlock + i, version, header.getLong(), header.getInt(), world.seed()));
      }
    }
  }

  static void release(List<Lease> leases) {
    leases.forEach(Lease::release);
  }
}
