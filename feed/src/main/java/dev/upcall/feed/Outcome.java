package dev.upcall.feed;

import dev.upcall.fileman.FileVersion;

/**
 * What came of a request.
 *
 * @param sequence which request of its producer
 * @param file what it made or changed last; zeros if nothing is left of it
 * @param failure why it was not done and never will be; empty when it was done
 */
public record Outcome(long sequence, FileVersion file, String failure) {
  /** No file. */
  public static final FileVersion NOTHING = new FileVersion(0, 0);

  /** What is kept of a failure. */
  static final int MAX_FAILURE_CHARS = 100;

  /** Cuts the failure, so that it is the same now and when it is read again. */
  public Outcome {
    int end = Math.min(failure.length(), MAX_FAILURE_CHARS);
    boolean isCutInPair = end > 0 && Character.isHighSurrogate(failure.charAt(end - 1));
    failure = failure.substring(0, isCutInPair ? end - 1 : end);
  }

  /** Whether it was done. */
  public boolean isDone() {
    return failure.isEmpty();
  }
}
