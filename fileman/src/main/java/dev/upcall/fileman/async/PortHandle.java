package dev.upcall.fileman.async;

import dev.upcall.AsyncChanges;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.reading.CallersBuffer;
import dev.upcall.fileman.reading.PortWay;
import dev.upcall.fileman.reading.RangeRead;
import dev.upcall.fileman.reading.SliceCopy;
import java.nio.ByteBuffer;

/** A file opened for reading and writing ranges, through a door. */
record PortHandle(PortWay way, FileHandle handle) implements AsyncChanges.Handle {
  @Override
  public void info(CompletionPort<FileInfo> port) {
    way.request(inner -> inner.complete(Completion.done(handle.info())), port);
  }

  @Override
  public void sizeBytes(CompletionPort<Long> port) {
    way.request(inner -> inner.complete(Completion.done(handle.sizeBytes())), port);
  }

  @Override
  public void read(long offset, int maxBytes, CompletionPort<byte[]> port) {
    way.request(
        inner -> {
          RangeRead.refuses(maxBytes)
              .ifPresentOrElse(
                  failure -> inner.complete(Completion.failed(failure)),
                  () ->
                      handle.read(
                          offset, maxBytes, slice -> inner.complete(SliceCopy.copied(slice))));
        },
        port);
  }

  @Override
  public void write(long offset, ByteBuffer from, CompletionPort<Unit> port) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    way.request(inner -> handle.write(offset, bytes, inner), port);
  }

  @Override
  public void append(ByteBuffer from, CompletionPort<Unit> port) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    way.request(inner -> handle.append(bytes, inner), port);
  }

  @Override
  public void truncate(long sizeBytes, CompletionPort<Unit> port) {
    way.request(inner -> handle.truncate(sizeBytes, inner), port);
  }

  @Override
  public void splice(long offset, long removed, ByteBuffer from, CompletionPort<Unit> port) {
    ByteBuffer bytes = CallersBuffer.toRead("from", from);
    way.request(inner -> handle.splice(offset, removed, bytes, inner), port);
  }

  @Override
  public void gather(long offset, long lengthBytes, CompletionPort<Unit> port) {
    way.request(inner -> handle.gather(offset, lengthBytes, inner), port);
  }

  @Override
  public void flush(CompletionPort<Unit> port) {
    way.request(handle::flush, port);
  }

  @Override
  public void abandon(CompletionPort<Unit> port) {
    way.request(
        inner -> {
          handle.abandon();
          inner.complete(Completion.done());
        },
        port);
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    way.request(handle::close, port);
  }
}
