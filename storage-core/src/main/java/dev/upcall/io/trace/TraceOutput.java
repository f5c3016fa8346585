package dev.upcall.io.trace;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a trace file whose entries are all there, on a thread that may wait. */
public final class TraceOutput implements TraceTarget {
  private static final int CHUNK_BLOCKS = 16;

  private final OutputStream out;
  private final TraceChunk chunk = new TraceChunk(CHUNK_BLOCKS);

  private TraceOutput(OutputStream out) {
    this.out = out;
    chunk.begin();
  }

  /**
   * Begins a new file.
   *
   * @throws IOException if there is such a file, or it cannot be made
   */
  public static TraceOutput create(Path path, TraceHeader header) throws IOException {
    OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW);
    out.write(TraceFormat.header(header).array());
    return new TraceOutput(out);
  }

  @Override
  public boolean write(TraceEntry entry) throws IOException {
    if (!chunk.add(entry)) {
      flush();
      chunk.add(entry);
    }
    return true;
  }

  private void flush() throws IOException {
    ByteBuffer blocks = chunk.whole();
    out.write(blocks.array(), blocks.arrayOffset(), blocks.limit());
    chunk.begin();
  }

  @Override
  public void close() throws IOException {
    try (out) {
      flush();
    }
  }
}
