package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.FileChanges;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.Upcall.PutStream;
import dev.upcall.UpcallChanges;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.Loan;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.request.Change;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;

/** Changing files, each a call that waits. */
abstract class BlockingChanges extends BlockingReads implements UpcallChanges {
  private final Calls calls;
  private final FileChanges files;

  /** Changes. */
  BlockingChanges(Calls calls, FileChanges files, PublishedLooks looks) {
    super(calls, looks);
    this.calls = calls;
    this.files = files;
  }

  @Override
  @SuppressWarnings("unchecked") // what is written leaves a file
  public final <R> R ask(Change<R> change) {
    Objects.requireNonNull(change, "change");
    return change instanceof Change.Write write && !write.isSmall()
        ? (R) writeLarge(write)
        : calls.call(port -> files.ask(change, port));
  }

  private FileInfo writeLarge(Change.Write write) {
    try (PutStream stream = put(write.path(), write.options())) {
      stream.write(write.content(), 0, write.content().length);
      return stream.commit();
    }
  }

  @Override
  public final FileInfo write(CharSequence path, InputStream content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    StorePath parsed = path(path);
    calls.checkOpen();
    try {
      byte[] begin = content.readNBytes(Change.Write.SMALL_BYTES + 1);
      Change.Write whole = new Change.Write(parsed, begin, options);
      if (whole.isSmall()) {
        return ask(whole);
      }
      try (PutStream stream = put(parsed, options)) {
        stream.write(begin);
        content.transferTo(stream);
        return stream.commit();
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Override
  public final PutStream put(CharSequence path, PutOptions options) {
    Objects.requireNonNull(options, "options");
    StorePath parsed = path(path);
    PutHandle handle = calls.call(port -> files.put(parsed, options, port));
    return new FilePutStream(new PortTarget(calls, handle));
  }

  @Override
  public final Upcall.RandomAccess open(CharSequence path, OpenMode mode) {
    Objects.requireNonNull(mode, "mode");
    StorePath parsed = path(path);
    FileHandle handle = calls.call(port -> files.open(parsed, mode, port));
    return new FileRandomAccess(calls, handle);
  }

  @Override
  public final SeekableByteChannel newByteChannel(CharSequence path, OpenMode mode) {
    return new HandleChannel(open(path, mode));
  }

  /** What takes a stream's bytes, through the door. */
  private record PortTarget(Calls calls, PutHandle handle, Loan loan)
      implements FilePutStream.Target {
    PortTarget(Calls calls, PutHandle handle) {
      this(calls, handle, new Loan());
    }

    /** The store is not closed while this copies. */
    @Override
    public void append(ByteBuffer bytes) {
      while (bytes.hasRemaining()) {
        calls.inside(
            () -> {
              calls.<Unit>await(port -> handle.append(bytes, loan, port));
              return loan.fill();
            });
      }
    }

    @Override
    public FileInfo commit(Durability durability) {
      return calls.call(port -> handle.commit(durability, port));
    }

    @Override
    public void abandon() {
      if (!calls.isClosing()) {
        calls.<Unit>call(
            port -> {
              handle.abandon();
              calls.dispatcher().complete(port, Completion.done());
            });
      }
    }
  }
}
