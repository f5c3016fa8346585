package dev.upcall.bench.securefile;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file system, that of this machine or that of a store, with a file for each object: written,
 * synced and renamed into place, and its directory synced, which is what makes a new file durable.
 */
final class FileObjects implements ObjectStore {
  private static final int PART_BYTES = 1 << 20;

  private final Path folder;
  private final Closeable owner;

  /**
   * In a folder.
   *
   * @param owner of the file system, closed with this
   */
  FileObjects(Path folder, Closeable owner) throws IOException {
    this.folder = Files.createDirectories(folder.resolve("objects"));
    this.owner = owner;
  }

  @Override
  public void put(String name, byte[] bytes, int length) throws IOException {
    Path made = folder.resolve(name + ".new");
    try (FileChannel file =
        FileChannel.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer all = ByteBuffer.wrap(bytes, 0, length);
      while (all.hasRemaining()) {
        file.write(all);
      }
      file.force(true);
    }
    Files.move(made, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  @Override
  public long read(String name, Sink sink) throws IOException {
    byte[] part = new byte[PART_BYTES];
    long read = 0;
    try (InputStream file = Files.newInputStream(folder.resolve(name))) {
      for (int got = file.readNBytes(part, 0, part.length);
          got > 0;
          got = file.readNBytes(part, 0, part.length)) {
        if (read == 0) {
          sink.begin(part);
        }
        read += got;
      }
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    owner.close();
  }
}
