package dev.upcall.bench.proxy.disk;

/**
 * Traffic of the disks.
 *
 * @param files for files, directories and inodes
 * @param mapped for the mapped file
 * @param oneArmNanos what all of it takes one after the other on one disk
 * @param armsNanos what it takes on three, whose arms move side by side while dirty pages are
 *     written
 * @param nearReads reads of the mapped file that begin at most 64 KB behind the one before
 */
public record DiskCounts(
    Moved files, Moved mapped, long oneArmNanos, long armsNanos, long nearReads) {

  /** Requests and their pages. */
  public record Moved(long reads, long readPages, long writes, long writtenPages) {
    /** Requests in both directions. */
    public long requests() {
      return reads + writes;
    }

    /** Bytes of a request, on average; 0 without requests. */
    public double meanBytes() {
      return requests() == 0
          ? 0
          : (double) (readPages + writtenPages) * DiskShape.PAGE_BYTES / requests();
    }

    Moved plus(Moved other) {
      return new Moved(
          reads + other.reads,
          readPages + other.readPages,
          writes + other.writes,
          writtenPages + other.writtenPages);
    }
  }

  /** Both kinds together. */
  public Moved all() {
    return files.plus(mapped);
  }

  /** Requests to the disks. */
  public long requests() {
    return all().requests();
  }

  /** The share of reads among them. */
  public double readShare() {
    return requests() == 0 ? 0 : (double) all().reads() / requests();
  }
}
