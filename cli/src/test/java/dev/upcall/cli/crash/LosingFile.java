package dev.upcall.cli.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.FuseConfig;
import org.cryptomator.jfuse.api.FuseConnInfo;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;

/**
 * A file system with one file, which keeps what is written to it in memory and puts it into a file
 * of the real one only when it is synced; so what a sync did not cover can be lost, as when the
 * power fails. Served to the kernel by FUSE; its threads are those of the library.
 */
final class LosingFile implements FuseOperations {
  private static final int BLOCK_BYTES = 4096;

  private final Errno errno;
  private final String name;
  private final FileChannel durable;
  private final TreeMap<Long, byte[]> unsynced = new TreeMap<>();
  private long sizeBytes;
  private long syncs;
  private long lostBlocks;
  private int opened;
  private boolean lies;
  private boolean off;

  /** Serves a file under its name. */
  LosingFile(Errno errno, Path file) throws IOException {
    this.errno = errno;
    this.name = "/" + file.getFileName();
    this.durable = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    this.sizeBytes = Files.size(file);
  }

  /** The power fails: from now on nothing is written or synced. */
  synchronized void fail() {
    off = true;
  }

  /**
   * The power is back: of what was not synced all is lost, or some blocks, or nothing. Waits until
   * nobody has the file open: what a dead process has asked for may come after its death.
   */
  synchronized void lose(Random random) throws IOException, InterruptedException {
    while (opened > 0) {
      wait();
    }
    int keep = random.nextInt(3);
    for (Map.Entry<Long, byte[]> block : unsynced.entrySet()) {
      if (keep == 2 || (keep == 1 && random.nextBoolean())) {
        put(block.getKey(), block.getValue());
      } else {
        lostBlocks++;
      }
    }
    unsynced.clear();
    sizeBytes = durable.size();
    off = false;
  }

  /** Whoever changed the durable file meanwhile is believed. */
  synchronized void look() throws IOException {
    sizeBytes = durable.size();
  }

  synchronized long syncs() {
    return syncs;
  }

  synchronized long lostBlocks() {
    return lostBlocks;
  }

  /** From now on syncs do nothing: what they promise is not kept. */
  synchronized void lie() {
    lies = true;
  }

  @Override
  public Errno errno() {
    return errno;
  }

  @Override
  public Set<Operation> supportedOperations() {
    return EnumSet.of(
        Operation.INIT,
        Operation.GET_ATTR,
        Operation.OPEN,
        Operation.READ,
        Operation.WRITE,
        Operation.TRUNCATE,
        Operation.FSYNC,
        Operation.RELEASE);
  }

  /**
   * Without asynchronous direct I/O: with it the kernel (6.18) completes a write that is asked to
   * be durable (RWF_DSYNC) without asking for a sync.
   */
  @Override
  public void init(FuseConnInfo connection, FuseConfig config) {
    connection.setWant(connection.want() & ~FuseConnInfo.FUSE_CAP_ASYNC_DIO);
  }

  @Override
  public synchronized int getattr(String path, Stat stat, FileInfo handle) {
    if (path.equals("/")) {
      stat.setMode(Stat.S_IFDIR | 0755);
      stat.setNLink((short) 2);
      return 0;
    }
    if (!path.equals(name)) {
      return -errno.enoent();
    }
    stat.setMode(Stat.S_IFREG | 0644);
    stat.setNLink((short) 1);
    stat.setSize(sizeBytes);
    return 0;
  }

  @Override
  public synchronized int open(String path, FileInfo handle) {
    if (!path.equals(name)) {
      return -errno.enoent();
    }
    opened++;
    return 0;
  }

  @Override
  public synchronized int release(String path, FileInfo handle) {
    opened--;
    notifyAll();
    return 0;
  }

  @Override
  public synchronized int read(
      String path, ByteBuffer into, long count, long offset, FileInfo handle) {
    long end = Math.min(sizeBytes, offset + count);
    for (long at = offset; at < end; ) {
      byte[] block = block(at / BLOCK_BYTES);
      int from = (int) (at % BLOCK_BYTES);
      int length = (int) Math.min(end - at, BLOCK_BYTES - from);
      into.put(block, from, length);
      at += length;
    }
    return (int) Math.max(0, end - offset);
  }

  @Override
  public synchronized int write(
      String path, ByteBuffer from, long count, long offset, FileInfo handle) {
    if (off) {
      return -errno.eio();
    }
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
    return (int) count;
  }

  @Override
  public synchronized int truncate(String path, long toBytes, FileInfo handle) {
    unsynced.tailMap((toBytes + BLOCK_BYTES - 1) / BLOCK_BYTES).clear();
    sizeBytes = toBytes;
    return 0;
  }

  @Override
  public synchronized int fsync(String path, int dataOnly, FileInfo handle) {
    if (off) {
      return -errno.eio();
    }
    syncs++;
    if (lies) {
      return 0;
    }
    try {
      if (durable.size() > sizeBytes) {
        durable.truncate(sizeBytes);
      }
      for (Map.Entry<Long, byte[]> block : unsynced.entrySet()) {
        put(block.getKey(), block.getValue());
      }
      unsynced.clear();
      if (durable.size() < sizeBytes) {
        durable.write(ByteBuffer.wrap(new byte[1]), sizeBytes - 1);
      }
      return 0;
    } catch (IOException e) {
      return -errno.eio();
    }
  }

  private void put(long block, byte[] bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      durable.write(left, block * BLOCK_BYTES + left.position());
    }
  }

  private byte[] block(long number) {
    byte[] kept = unsynced.get(number);
    if (kept != null) {
      return kept.clone();
    }
    ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
    try {
      while (bytes.hasRemaining()) {
        int got = durable.read(bytes, number * BLOCK_BYTES + bytes.position());
        if (got <= 0) {
          break;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.array();
  }
}
