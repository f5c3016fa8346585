package dev.upcall.fileman.blocking;

import dev.upcall.FileInfo;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.fileman.reading.ReadSide;
import java.nio.ByteBuffer;

/** What a stream reads of a file that is held open inside: through the door, or on its thread. */
final class PortSource implements FileReadStream.Source {
  private final Calls calls;
  private final ReadSide side;
  private final boolean copies;
  private volatile boolean closed;

  /**
   * Takes over what is open.
   *
   * @param copies whether its caller copies what is in memory itself
   */
  PortSource(Calls calls, ReadSide side, boolean copies) {
    this.calls = calls;
    this.side = side;
    this.copies = copies;
  }

  @Override
  public FileInfo info() {
    return side.info();
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    int copied = copies && !closed && calls.mayCopy() ? side.copy(offset, into) : 0;
    return copied != 0 ? copied : Slices.read(calls, side::read, offset, into);
  }

  @Override
  public ContentSlice slice(long offset, int maxBytes) {
    int wanted = Math.min(maxBytes, Slices.MAX_READ_BYTES);
    return calls.call(port -> side.read(offset, wanted, port));
  }

  @Override
  public void close() {
    closed = true;
    if (!calls.isClosing()) {
      calls.<Unit>call(side::close);
    }
  }
}
