package dev.upcall.fileman.blocking;

import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.CallersBuffer;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A file opened for reading and writing ranges. */
public final class FileRandomAccess implements Upcall.RandomAccess {
  private final Calls calls;
  private final FileHandle handle;
  private boolean closed;

  /** Of a handle, which it owns from now on. */
  public FileRandomAccess(Calls calls, FileHandle handle) {
    this.calls = calls;
    this.handle = handle;
  }

  @Override
  public FileInfo info() {
    return calls.call(port -> calls.dispatcher().complete(port, Completion.done(handle.info())));
  }

  @Override
  public long sizeBytes() {
    return calls.<Long>call(
        port -> calls.dispatcher().complete(port, Completion.done(handle.sizeBytes())));
  }

  @Override
  public int read(long offset, ByteBuffer into) {
    Objects.requireNonNull(into, "into");
    return Slices.read(calls, handle::read, offset, into);
  }

  @Override
  public void write(long offset, ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    calls.<Unit>call(port -> handle.write(offset, bytes, port));
  }

  @Override
  public void append(ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    calls.<Unit>call(port -> handle.append(bytes, port));
  }

  @Override
  public void truncate(long sizeBytes) {
    calls.<Unit>call(port -> handle.truncate(sizeBytes, port));
  }

  @Override
  public void splice(long offset, long removed, ByteBuffer from) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    calls.<Unit>call(port -> handle.splice(offset, removed, bytes, port));
  }

  @Override
  public void gather(long offset, long lengthBytes) {
    calls.<Unit>call(port -> handle.gather(offset, lengthBytes, port));
  }

  @Override
  public void flush() {
    calls.<Unit>call(handle::flush);
  }

  @Override
  public void abandon() {
    if (!closed) {
      closed = true;
      if (!calls.isClosing()) {
        calls.<Unit>call(
            port -> {
              handle.abandon();
              calls.dispatcher().complete(port, Completion.done());
            });
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      calls.<Unit>call(handle::close);
    }
  }
}
