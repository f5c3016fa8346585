package dev.upcall.threads.files;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A volume in memory for any number of threads that knows what a loss of power would leave: what
 * was synced, what was written durably, and of the rest any blocks.
 */
final class PowerDevice implements BlockDevice {
  private final Map<Long, byte[]> present = new HashMap<>();

  /** What a loss of power surely leaves of the blocks that were written since they were synced. */
  private final Map<Long, byte[]> before = new HashMap<>();

  private final long sizeBlocks;
  private final boolean lies;
  private long blocks;
  private boolean closed;
  private volatile Runnable guard = () -> {};

  private PowerDevice(Map<Long, byte[]> content, long sizeBlocks, boolean lies) {
    this.lies = lies;
    present.putAll(content);
    this.sizeBlocks = sizeBlocks;
    this.blocks = sizeBlocks;
  }

  /** The content of a file. */
  static PowerDevice of(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    Map<Long, byte[]> content = new HashMap<>();
    for (int at = 0; at < all.length; at += Disk.BLOCK_BYTES) {
      content.put((long) at / Disk.BLOCK_BYTES, Arrays.copyOfRange(all, at, at + Disk.BLOCK_BYTES));
    }
    return new PowerDevice(content, all.length / Disk.BLOCK_BYTES, false);
  }

  /** The same content on a device of its own, all of it durable. */
  static PowerDevice copyOf(PowerDevice other) {
    synchronized (other) {
      return new PowerDevice(other.present, other.blocks, other.lies);
    }
  }

  /** The same content on a device whose syncs and durable writes are none. */
  PowerDevice lying() {
    return new PowerDevice(present, blocks, true);
  }

  /** From now on runs this before each request, on its thread. */
  void beforeEach(Runnable work) {
    guard = work;
  }

  /** What may be found after a loss of power now. */
  synchronized PowerDevice afterPowerLoss(Random random) {
    Map<Long, byte[]> left = new HashMap<>(present);
    boolean most = random.nextBoolean();
    for (Map.Entry<Long, byte[]> lost : before.entrySet()) {
      if (random.nextInt(10) < (most ? 8 : 3)) {
        left.put(lost.getKey(), lost.getValue());
      }
    }
    return new PowerDevice(left, blocks, lies);
  }

  @Override
  public synchronized Completion<Unit> perform(DiskRequest request) {
    guard.run();
    if (closed) {
      throw new IllegalStateException("used after it was closed: " + request);
    }
    switch (request) {
      case DiskRequest.Read read -> read(read.block(), read.into());
      case DiskRequest.Write write -> write(write.block(), write.from(), false);
      case DiskRequest.DurableWrite write -> write(write.block(), write.from(), true);
      case DiskRequest.Sync _ -> {
        if (!lies) {
          before.clear();
        }
      }
      case DiskRequest.Allocate allocate ->
          blocks = Math.max(blocks, allocate.block() + allocate.blocks());
      case DiskRequest.Discard discard -> {
        for (long block = discard.block(); block < discard.block() + discard.blocks(); block++) {
          present.remove(block);
        }
      }
      case DiskRequest.Shrink shrink -> blocks = shrink.blocks();
      case DiskRequest.Stat _ -> {}
    }
    return Completion.done();
  }

  private void read(long block, List<ByteBuffer> into) {
    long at = block;
    for (ByteBuffer buffer : into) {
      ByteBuffer to = buffer.duplicate();
      while (to.hasRemaining()) {
        to.put(content(at++));
      }
    }
  }

  private void write(long block, List<ByteBuffer> from, boolean durably) {
    long at = block;
    for (ByteBuffer buffer : from) {
      ByteBuffer rest = buffer.duplicate();
      while (rest.hasRemaining()) {
        byte[] bytes = new byte[Disk.BLOCK_BYTES];
        rest.get(bytes);
        if (durably && !lies) {
          before.remove(at);
        } else {
          before.putIfAbsent(at, content(at));
        }
        present.put(at, bytes);
        at++;
      }
    }
  }

  private byte[] content(long block) {
    byte[] bytes = present.get(block);
    return bytes == null ? new byte[Disk.BLOCK_BYTES] : bytes;
  }

  @Override
  public long sizeBlocks() {
    return sizeBlocks;
  }

  @Override
  public String name() {
    return "a volume in memory";
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
