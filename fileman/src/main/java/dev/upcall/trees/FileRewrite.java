package dev.upcall.trees;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallChanges;
import dev.upcall.UpcallException;
import java.util.Objects;

/**
 * Makes a file that was edited in many places lie together again, a step at a time: whoever calls
 * decides how fast, pauses between steps, and ends it after any, by {@link #close}.
 *
 * <p>Each step is a commit: after a crash the file has its content, and those steps that had
 * completed. Readers keep the version that they opened. Where others commit while a step is under
 * way it may come to nothing, and the next one is shorter; what another handle has written of the
 * file and brought to the volume before its commit conflicts with a step, as with any commit. A
 * stretch that lies together already is not copied, so that a second run does little. Times of the
 * file stay, its version grows. One thread at a time, not the store's own.
 */
public final class FileRewrite implements AutoCloseable {
  /** What a step copies at most. */
  public static final long STEP_BYTES = 16L << 20;

  /** So much rides in the log, and is done again by the store where somebody else was quicker. */
  private static final long LEAST_BYTES = 32L << 10;

  private final UpcallChanges store;
  private final String path;
  private Upcall.RandomAccess file;
  private long doneBytes;
  private long stepBytes = STEP_BYTES;

  private FileRewrite(UpcallChanges store, String path) {
    this.store = store;
    this.path = path;
    this.file = store.open(path, OpenMode.EXISTING);
  }

  /**
   * Begins; nothing is copied yet.
   *
   * @throws UpcallException {@code NotFound}, {@code IsADirectory}: as opening the file does
   */
  public static FileRewrite of(UpcallChanges store, CharSequence path) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(path, "path");
    return new FileRewrite(store, path.toString());
  }

  /**
   * Does a step, or nothing if others were quicker; durable when this returns.
   *
   * @return whether there is more to do
   * @throws UpcallException {@code VolumeFull}: what a step copies needs its room twice for a
   *     moment; {@code NotFound}, {@code Corrupt}, {@code Device}. All steps before stay
   */
  public boolean step() {
    long length = Math.min(stepBytes, file.sizeBytes() - doneBytes);
    if (length <= 0) {
      return false;
    }
    try {
      file.gather(doneBytes, length);
      file.flush();
    } catch (UpcallException.Conflict quicker) {
      stepBytes = Math.max(LEAST_BYTES, stepBytes / 8);
      file.abandon();
      file = store.open(path, OpenMode.EXISTING);
      return true;
    }
    doneBytes += length;
    stepBytes = Math.min(STEP_BYTES, 2 * stepBytes);
    return doneBytes < file.sizeBytes();
  }

  /** How far it is: bytes from the begin that lie together, or were looked at. */
  public long doneBytes() {
    return doneBytes;
  }

  /** Bytes of the file. */
  public long totalBytes() {
    return file.sizeBytes();
  }

  /** Ends it; what is done stays. */
  @Override
  public void close() {
    file.abandon();
  }
}
