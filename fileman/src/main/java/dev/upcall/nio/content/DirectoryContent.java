package dev.upcall.nio.content;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A directory that was opened as if it were a file: as on Linux, it can be forced, not read. */
public final class DirectoryContent implements Content {
  private final Runnable forcing;
  private final FileLocks locks = new FileLocks();

  /**
   * A directory.
   *
   * @param forcing makes all that was done before durable
   */
  public DirectoryContent(Runnable forcing) {
    this.forcing = forcing;
  }

  @Override
  public long sizeBytes() {
    return 0;
  }

  @Override
  public int read(long offset, ByteBuffer into) throws IOException {
    throw new IOException("Is a directory");
  }

  @Override
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return CompletableFuture.failedFuture(new IOException("Is a directory"));
  }

  @Override
  public void force() {
    forcing.run();
  }

  @Override
  public FileLocks locks() {
    return locks;
  }

  @Override
  public void close() {}
}
