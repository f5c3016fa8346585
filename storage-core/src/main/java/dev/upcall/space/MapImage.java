package dev.upcall.space;

import java.util.List;

/**
 * The image of a free-space map at a checkpoint: the chunks that changed since the image before,
 * copied, so that the map goes on while they are written.
 *
 * @param seq sequence of the image, for the superblock
 * @param digest over the checksums of all chunks, changed or not, for the superblock
 * @param totalBlocks size of the volume that it describes, for the superblock
 * @param chunks what has to be written, in ascending order
 */
public record MapImage(long seq, long digest, long totalBlocks, List<MapChunk> chunks) {}
