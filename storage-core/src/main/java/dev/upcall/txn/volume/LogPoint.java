package dev.upcall.txn.volume;

/**
 * A place between two batches of the log, with all that identifies the batch that may follow: a
 * batch belongs there only if it names this position, this sequence, and this checksum and
 * incarnation of the batch before. So neither a batch of an earlier lap of the ring nor what is
 * left of a rejected tail is ever taken for a successor.
 *
 * @param position blocks of log ever written up to here
 * @param sequence batches ever written up to here
 * @param incarnation the random number of the writer of the batch before
 * @param chainCrc the checksum of the batch before
 */
public record LogPoint(long position, long sequence, long incarnation, int chainCrc) {
  /** Where the log of a freshly formatted volume begins. */
  public static final LogPoint ORIGIN = new LogPoint(0, 0, 0, 0);
}
