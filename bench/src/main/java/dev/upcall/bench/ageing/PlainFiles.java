package dev.upcall.bench.ageing;

import dev.upcall.bench.harness.Lab;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * On the plain file system, as a careful program does it: a file is written under another name,
 * synced and renamed; what is added to a file is synced; and each change of names is followed by a
 * sync of the directory.
 */
final class PlainFiles implements AgedFiles {
  private final Path folder;
  private final Map<Path, FileChannel> directories = new ConcurrentHashMap<>();

  PlainFiles(Path folder) throws IOException {
    this.folder = Files.createDirectory(folder);
  }

  @Override
  public void createDirectory(String name) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    directories.put(made, FileChannel.open(made, StandardOpenOption.READ));
  }

  @Override
  public void put(String name, byte[] content) throws IOException {
    Path path = folder.resolve(name);
    Path unfinished = path.resolveSibling(path.getFileName() + ".new");
    write(content, unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Files.move(
        unfinished, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectoryOf(path);
  }

  @Override
  public void append(String name, byte[] more) throws IOException {
    write(more, folder.resolve(name), StandardOpenOption.APPEND);
  }

  private static void write(byte[] content, Path path, StandardOpenOption... how)
      throws IOException {
    try (FileChannel file = FileChannel.open(path, how)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        file.write(left);
      }
      file.force(true);
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Path path = folder.resolve(name);
    Files.delete(path);
    syncDirectoryOf(path);
  }

  private void syncDirectoryOf(Path path) throws IOException {
    FileChannel directory = directories.get(path.getParent());
    if (directory == null) {
      throw new IOException(path + " lies in no directory that was made here");
    }
    directory.force(true);
  }

  @Override
  public long sizeBytes(String name) throws IOException {
    return Files.size(folder.resolve(name));
  }

  @Override
  public String describe() {
    return "";
  }

  @Override
  public void close() throws IOException {
    for (FileChannel directory : directories.values()) {
      directory.close();
    }
    Lab.remove(folder);
  }
}
