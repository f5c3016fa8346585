package dev.upcall.cli.crash;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The bytes of a file, in memory until they are synced into a real one. Not for several threads.
 */
final class LosingContent implements Closeable {
  private static final int BLOCK_BYTES = 4096;

  private final Path durable;
  private final FileChannel channel;
  private final TreeMap<Long, byte[]> unsynced = new TreeMap<>();
  private long sizeBytes;

  /** What lies behind it in the durable file was cut off, and reads as zeros. */
  private long validBytes;

  /** Of a real file, which is made when it is not there. */
  LosingContent(Path durable) throws IOException {
    this.durable = durable;
    this.channel =
        FileChannel.open(
            durable, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    this.sizeBytes = channel.size();
    this.validBytes = sizeBytes;
  }

  Path durable() {
    return durable;
  }

  long sizeBytes() {
    return sizeBytes;
  }

  int read(ByteBuffer into, long count, long offset) throws IOException {
    long end = Math.min(sizeBytes, offset + count);
    for (long at = offset; at < end; ) {
      int from = (int) (at % BLOCK_BYTES);
      int length = (int) Math.min(end - at, BLOCK_BYTES - from);
      into.put(block(at / BLOCK_BYTES), from, length);
      at += length;
    }
    return (int) Math.max(0, end - offset);
  }

  void write(ByteBuffer from, long count, long offset) throws IOException {
    long end = offset + count;
    for (long at = offset; at < end; ) {
      int begin = (int) (at % BLOCK_BYTES);
      int length = (int) Math.min(end - at, BLOCK_BYTES - begin);
      byte[] block = length == BLOCK_BYTES ? new byte[BLOCK_BYTES] : block(at / BLOCK_BYTES);
      from.get(block, begin, length);
      unsynced.put(at / BLOCK_BYTES, block);
      at += length;
    }
    sizeBytes = Math.max(sizeBytes, end);
  }

  void truncate(long toBytes) throws IOException {
    if (toBytes < sizeBytes) {
      unsynced.tailMap(Math.ceilDiv(toBytes, BLOCK_BYTES)).clear();
      validBytes = Math.min(validBytes, toBytes);
      int inLast = (int) (toBytes % BLOCK_BYTES);
      if (inLast > 0) {
        byte[] last = block(toBytes / BLOCK_BYTES);
        Arrays.fill(last, inLast, BLOCK_BYTES, (byte) 0);
        unsynced.put(toBytes / BLOCK_BYTES, last);
      }
    }
    sizeBytes = toBytes;
  }

  void sync() throws IOException {
    if (channel.size() > validBytes) {
      channel.truncate(validBytes);
    }
    for (Map.Entry<Long, byte[]> block : unsynced.entrySet()) {
      put(block.getKey(), block.getValue());
    }
    unsynced.clear();
    if (channel.size() < sizeBytes) {
      channel.write(ByteBuffer.wrap(new byte[1]), sizeBytes - 1);
    }
    channel.truncate(sizeBytes);
    validBytes = sizeBytes;
  }

  /** Of what was not synced all is lost, or some blocks, or nothing; returns how many were. */
  long lose(Random random) throws IOException {
    long lost = 0;
    switch (random.nextInt(3)) {
      case 0 -> lost = unsynced.size();
      case 1 -> {
        for (Map.Entry<Long, byte[]> block : unsynced.entrySet()) {
          if (random.nextBoolean()) {
            put(block.getKey(), block.getValue());
          } else {
            lost++;
          }
        }
      }
      default -> sync();
    }
    unsynced.clear();
    sizeBytes = channel.size();
    validBytes = sizeBytes;
    return lost;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void put(long block, byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      channel.write(left, block * BLOCK_BYTES + left.position());
    }
  }

  private byte[] block(long number) throws IOException {
    byte[] kept = unsynced.get(number);
    if (kept != null) {
      return kept.clone();
    }
    long at = number * BLOCK_BYTES;
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
    bytes.limit(Math.clamp(validBytes - at, 0, BLOCK_BYTES));
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
      // A read may give less than was asked for.
    }
    return bytes.array();
  }
}
