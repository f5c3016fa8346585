package dev.upcall.buffer;

import dev.upcall.io.Disk;

/**
 * A part of a frame.
 *
 * @param frame the frame
 * @param offset its first block, counted from the frame's first
 * @param blocks its length
 */
record Piece(Frame frame, int offset, int blocks) {
  /** The whole of a frame. */
  static Piece whole(Frame frame) {
    return new Piece(frame, 0, frame.blocks());
  }

  int offsetBytes() {
    return offset * Disk.BLOCK_BYTES;
  }
}
