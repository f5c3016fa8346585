package dev.upcall.io.seal;

import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The blocks of one transfer on their way through the cipher, in as many steps as its owner likes.
 * Blocks in clear are copied. Zeros on the device are zeros.
 */
final class BlockCipher {
  private final Seal seal;
  private final Xts cipher;
  private final boolean encrypts;
  private final Place from;
  private final Place to;
  private long block;
  private int left;

  /** Goes through buffers of whole blocks, block by block. */
  private static final class Place {
    private final List<ByteBuffer> buffers;
    private int index;
    private int at;

    Place(List<ByteBuffer> buffers) {
      this.buffers = buffers;
      this.at = buffers.getFirst().position();
    }

    ByteBuffer buffer() {
      return buffers.get(index);
    }

    void next() {
      at += Disk.BLOCK_BYTES;
      if (at == buffer().limit() && index + 1 < buffers.size()) {
        index++;
        at = buffer().position();
      }
    }
  }

  /**
   * Not begun.
   *
   * @param request a write, whose blocks are encrypted, or a read, whose blocks are decrypted
   * @param to where the blocks go: the request's own buffers, or others of the same length
   */
  BlockCipher(Seal seal, Xts cipher, DiskRequest request, List<ByteBuffer> to) {
    this.seal = seal;
    this.cipher = cipher;
    this.encrypts = !(request instanceof DiskRequest.Read);
    this.from = new Place(request.buffers());
    this.to = new Place(to);
    this.block = request.firstBlock();
    this.left = (int) request.blocks();
  }

  int left() {
    return left;
  }

  /** Does at most so many blocks; whether all are done. */
  boolean step(int mostBlocks) {
    for (int i = 0; i < mostBlocks && left > 0; i++) {
      one();
      from.next();
      to.next();
      block++;
      left--;
    }
    return left == 0;
  }

  private void one() {
    ByteBuffer source = from.buffer();
    if (encrypts && !seal.isClear(block)) {
      cipher.encrypt(block, source, from.at, to.buffer(), to.at);
    } else if (encrypts) {
      to.buffer().put(to.at, source, from.at, Disk.BLOCK_BYTES);
    } else if (!seal.isClear(block) && !isZero(source, from.at)) {
      cipher.decrypt(block, source, from.at, to.buffer(), to.at);
    }
  }

  private static boolean isZero(ByteBuffer buffer, int at) {
    for (int i = 0; i < Disk.BLOCK_BYTES; i += Long.BYTES) {
      if (buffer.getLong(at + i) != 0) {
        return false;
      }
    }
    return true;
  }
}
