package dev.upcall.cli.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Counts acknowledged operations outside the store: a plain file that is written after each
 * acknowledgement. It outlives the process that is killed.
 */
public final class Journal implements AutoCloseable {
  private final FileChannel file;

  public Journal(Path path) throws IOException {
    file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  public static Path path(Path folder, String name) {
    return folder.resolve("journal-" + name);
  }

  /** How many operations were acknowledged. */
  public static long count(Path path) throws IOException {
    if (!Files.exists(path)) {
      return 0;
    }
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
    int whole = all.remaining() / Long.BYTES;
    return whole == 0 ? 0 : all.getLong((whole - 1) * Long.BYTES);
  }

  public void acknowledged(long count) throws IOException {
    ByteBuffer line = ByteBuffer.allocate(Long.BYTES).putLong(0, count);
    while (line.hasRemaining()) {
      file.write(line);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
