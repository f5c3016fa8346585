package dev.upcall.bench.provider;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** Work on one channel of one file, by blocks of 4 KiB. */
final class ChannelWork {
  static final int BLOCK_BYTES = 4096;

  private ChannelWork() {}

  /** Makes a file of so many blocks, durably. */
  static void fill(Path path, int blocks) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int i = 0; i < blocks; i++) {
        channel.write(block.clear());
      }
      channel.force(true);
    }
  }

  /** A step reads a block by chance; all of the file has been read before. */
  static Work randomReads(int blocks) {
    return (directory, _) -> {
      Path path = directory.resolve("file");
      fill(path, blocks);
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      Random random = new Random(blocks);
      return () -> {
        int count = channel.read(block.clear(), (long) random.nextInt(blocks) * BLOCK_BYTES);
        if (count != BLOCK_BYTES) {
          throw new IllegalStateException("a read of " + count + " bytes");
        }
      };
    };
  }

  /** A step writes a block by chance over one of a file. */
  static Work randomWrites(int blocks) {
    return (directory, _) -> {
      Path path = directory.resolve("file");
      fill(path, blocks);
      FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      Random random = new Random(blocks);
      return () -> channel.write(block.clear(), (long) random.nextInt(blocks) * BLOCK_BYTES);
    };
  }

  /** A step appends a block; a file that is long enough begins anew. */
  static Work appends(int blocks, boolean dsync) {
    return (directory, _) -> {
      Path path = directory.resolve("log");
      FileChannel channel =
          dsync
              ? FileChannel.open(
                  path,
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DSYNC)
              : FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      int[] count = new int[1];
      return () -> {
        channel.write(block.clear());
        count[0]++;
        if (count[0] % blocks == 0) {
          channel.truncate(0);
        }
      };
    };
  }
}
