package dev.upcall.space;

import dev.upcall.base.Invariants;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The committed blocks as bits, cut into chunks as they go to disk: which chunks have changed since
 * the last image, and in which of its two homes each one's last image is.
 *
 * <p>The other home of a chunk may hold its image for the last durable superblock, so a chunk
 * always goes to the home where its last image is not. Homes are remembered for chunks that a
 * shrink has cut off, because the durable superblock may still name them.
 */
final class MapChunks {
  /** The home of a chunk that has no image yet. */
  static final byte NO_HOME = -1;

  private final FreeMapConfig config;
  private final Bits committed;
  private byte[] homes;
  private int[] crcs;
  private boolean[] changed;
  private int chunks;
  private long seq;

  /** The last image, until it is durable. */
  private @Nullable MapImage open;

  private @Nullable MapCapture capture;

  /** No block is committed and no chunk was ever written. */
  MapChunks(FreeMapConfig config, long totalBlocks) {
    this.config = config;
    chunks = config.chunks(totalBlocks);
    committed = new Bits((long) chunks * config.chunkBlocks());
    homes = new byte[chunks];
    crcs = new int[chunks];
    changed = new boolean[chunks];
    Arrays.fill(homes, NO_HOME);
    Arrays.fill(changed, true);
  }

  Bits committed() {
    return committed;
  }

  /** Loading: a chunk's image is this block of that home. */
  void loaded(int chunk, byte home, int crc) {
    homes[chunk] = home;
    crcs[chunk] = crc;
    changed[chunk] = false;
  }

  /** Loading: the home of the image that was found. */
  byte home(int chunk) {
    return homes[chunk];
  }

  /** Loading: whether an image of the chunk was found. */
  boolean isLoaded(int chunk) {
    return homes[chunk] != NO_HOME;
  }

  /**
   * Loading: all belongs to the image with that sequence.
   *
   * @param toWrite chunks of which a copy is missing, or whose other home holds something newer,
   *     left by a checkpoint that did not come to its end: the next image must overwrite that, or
   *     it would be taken for a part of the image that gets its sequence
   */
  void loadedAll(long imageSeq, boolean[] toWrite) {
    seq = imageSeq;
    System.arraycopy(toWrite, 0, changed, 0, chunks);
  }

  int count() {
    return chunks;
  }

  /** Over number and checksum of the first chunks, as their last images have them. */
  long digest(int count) {
    long digest = 0;
    for (int chunk = 0; chunk < count; chunk++) {
      digest += MapChunk.digest(chunk, crcs[chunk]);
    }
    return digest;
  }

  void set(Extent extent) {
    touch(extent);
    committed.set(extent.block(), extent.end());
  }

  void clear(Extent extent) {
    touch(extent);
    committed.clear(extent.block(), extent.end());
  }

  /** From now on, until it is null again, a capture takes a chunk's bits before they change. */
  void capture(@Nullable MapCapture taker) {
    Invariants.check(capture == null || taker == null, "two captures of the map at once");
    capture = taker;
  }

  boolean isCaptured() {
    return capture != null;
  }

  private void touch(Extent extent) {
    int last = (int) ((extent.end() - 1) / config.chunkBlocks());
    for (int chunk = (int) (extent.block() / config.chunkBlocks()); chunk <= last; chunk++) {
      changed[chunk] = true;
      if (open != null) {
        open.changes(chunk);
      }
      if (capture != null) {
        capture.take(chunk);
      }
    }
  }

  /** The volume has another size; chunks that are new have to be written. */
  void resize(long totalBlocks) {
    int now = config.chunks(totalBlocks);
    committed.resize((long) now * config.chunkBlocks());
    if (now > homes.length) {
      int before = homes.length;
      homes = Arrays.copyOf(homes, now);
      crcs = Arrays.copyOf(crcs, now);
      changed = Arrays.copyOf(changed, now);
      Arrays.fill(homes, before, now, NO_HOME);
    }
    if (now > chunks) {
      Arrays.fill(changed, chunks, now, true);
    }
    chunks = now;
  }

  MapImage image(long imageSeq, long totalBlocks) {
    Invariants.check(open == null, "the image before is not durable", seq);
    Invariants.check(imageSeq > seq, "sequence of the image", imageSeq, seq);
    BitSet written = new BitSet(chunks);
    for (int chunk = 0; chunk < chunks; chunk++) {
      if (changed[chunk]) {
        changed[chunk] = false;
        homes[chunk] = (byte) (homes[chunk] == 0 ? 1 : 0);
        written.set(chunk);
      }
    }
    seq = imageSeq;
    MapImage image = new MapImage(this, imageSeq, totalBlocks, chunks, written);
    open = image;
    return image;
  }

  /** A chunk for the last image. */
  MapChunk encode(int chunk) {
    MapChunk encoded = MapChunk.encode(config, committed, chunk, homes[chunk], seq);
    crcs[chunk] = encoded.crc();
    return encoded;
  }

  void imageDurable(long imageSeq) {
    MapImage image = open;
    Invariants.check(image != null && imageSeq == seq, "durable image", imageSeq, seq);
    Invariants.check(image == null || image.isTaken(), "durable image that was not taken", seq);
    open = null;
  }
}
