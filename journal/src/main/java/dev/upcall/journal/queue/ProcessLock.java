package dev.upcall.journal.queue;

import dev.upcall.journal.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that one holder at a time has open, of all processes. It is given up with the process.
 *
 * <p>The system's lock belongs to the process, and is lost when the process closes any descriptor
 * of the file. So a second holder in this process must be refused before the file is opened again.
 * Any thread.
 */
public final class ProcessLock implements AutoCloseable {
  /** What this process holds; as the system's locks it is the process's, not an object's. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private ProcessLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a file, which is made if it is missing.
   *
   * @param folder is there
   * @param what the holder is, for the message of the one who comes too late (IN_USE)
   */
  public static ProcessLock take(Path folder, String name, String what) throws IOException {
    Path file = folder.toRealPath().resolve(name);
    if (!HELD.add(file)) {
      throw new QueueException(Reason.IN_USE, "this process already is " + what, null);
    }
    try {
      return locked(file, what);
    } catch (IOException | RuntimeException failed) {
      HELD.remove(file);
      throw failed;
    }
  }

  private static ProcessLock locked(Path file, String what) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new QueueException(Reason.IN_USE, "another process is " + what, null);
      }
      return new ProcessLock(file, channel);
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  /** The file; not to be closed. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    HELD.remove(file);
  }
}
