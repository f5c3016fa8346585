package dev.upcall.httpd.log;

import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are appended, ten times a second. When the name of the file leads to
 * another one, or to none, since somebody has renamed it, the log goes on in a new one under the
 * name. A line that cannot be written is lost; that is said once, until writing succeeds again.
 */
public final class AccessLog implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;
  private static final int RING_BYTES = 1 << 20;

  private final Path file;
  private final Format format;
  private final List<LogRing> rings = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Thread thread;
  private FileChannel channel; // the thread's, once it runs

  /** Of the open file; nothing while it is not certain that the name leads to that one. */
  private @Nullable Object key;

  private boolean failed;

  /** How a line is written. */
  public enum Format {
    /** As Apache and nginx write it by default. */
    COMBINED,
    /** An object for each response. */
    JSON
  }

  private AccessLog(Path file, Format format) throws IOException {
    this.file = file;
    this.format = format;
    this.channel = opened(file);
    this.thread = Thread.ofPlatform().daemon().name("upcall-access-log").unstarted(this::run);
  }

  /**
   * Opens a log, at the end of what the file has; a new one is for its owner and group to read.
   *
   * @throws UpcallException {@code Device} with the host's reason
   */
  public static AccessLog open(Path file, Format format) {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(format, "format");
    try {
      AccessLog log = new AccessLog(file, format);
      log.thread.start();
      return log;
    } catch (IOException failed) {
      throw UpcallException.of(
          new Failure.Device("opening the access log " + file, HostWords.of(failed)));
    }
  }

  private static FileChannel opened(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
  }

  private static @Nullable Object key(Path file) throws IOException {
    return Files.exists(file)
        ? Files.readAttributes(file, BasicFileAttributes.class).fileKey()
        : null;
  }

  /** How lines are written. */
  public Format format() {
    return format;
  }

  /** A ring for the lines of one thread. */
  public LogRing newRing() {
    LogRing ring = new LogRing(RING_BYTES);
    rings.add(ring);
    return ring;
  }

  private void run() {
    boolean ended = false;
    while (!ended) {
      try {
        ended = end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException interrupted) {
        ended = true;
      }
      drain();
    }
  }

  private void drain() {
    try {
      if (key == null || !key.equals(key(file))) {
        key = null;
        channel.close();
        Object before = key(file);
        channel = opened(file);
        Object now = key(file);
        key = now != null && now.equals(before) ? now : null; // else it was replaced meanwhile
      }
      for (LogRing ring : rings) {
        ring.drain(this::append);
      }
      failed = false;
    } catch (IOException lost) {
      if (!failed) {
        failed = true;
        System.getLogger(AccessLog.class.getName())
            .log(
                System.Logger.Level.WARNING,
                "lines of the access log {0} are lost: {1}",
                file,
                HostWords.of(lost));
      }
    }
  }

  private void append(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Writes what has come until now, and ends. Behind the servers that write to it. */
  @Override
  public void close() {
    end.countDown();
    ThreadEnd.await(thread);
    try {
      channel.close();
    } catch (IOException unclosed) {
      throw UpcallException.of(
          new Failure.Device("closing the access log " + file, HostWords.of(unclosed)));
    }
  }
}
