package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.Calls.path;

import dev.upcall.BatchResult;
import dev.upcall.FileChanges;
import dev.upcall.FileContent;
import dev.upcall.FileHandle;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.Upcall.PutStream;
import dev.upcall.UpcallChanges;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.store.Durability;
import dev.upcall.txn.PublishedReads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Changing files, each a call that waits. */
abstract class BlockingChanges extends BlockingReads implements UpcallChanges {
  private static final int SMALL_BYTES = 64 << 10;

  private final Calls calls;
  private final FileChanges files;

  /**
   * Changes.
   *
   * @param openReads what is open for reading; the dispatcher's
   * @param published what callers may look at themselves, if that is what is read
   */
  BlockingChanges(
      Calls calls,
      FileChanges files,
      Dispatcher dispatcher,
      Set<Runnable> openReads,
      @Nullable PublishedReads published) {
    super(calls, files, dispatcher, openReads, published);
    this.calls = calls;
    this.files = files;
  }

  // ------------------------------------------------------------------ writing

  @Override
  public final FileInfo write(CharSequence path, byte[] content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(options, "options");
    StorePath parsed = path(path);
    if (content.length <= SMALL_BYTES) {
      FileRequest put = new FileRequest.Put(parsed, new FileContent.Bytes(content), options);
      return change(put).orElseThrow();
    }
    try (PutStream stream = put(path, options)) {
      stream.write(content, 0, content.length);
      return stream.commit();
    }
  }

  @Override
  public final FileInfo write(CharSequence path, InputStream content, PutOptions options) {
    Objects.requireNonNull(content, "content");
    try (PutStream stream = put(path, options)) {
      content.transferTo(stream);
      return stream.commit();
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

  // ------------------------------------------------------------------ changing

  @Override
  public final Optional<FileInfo> change(FileRequest request) {
    Objects.requireNonNull(request, "request");
    return calls.call(port -> files.change(request, port));
  }

  @Override
  public final BatchResult batch(List<FileRequest> requests) {
    List<FileRequest> copy = FileBatch.copy(requests);
    return calls.call(port -> files.batch(copy, port));
  }

  /** What takes a stream's bytes, through the door. */
  private record PortTarget(Calls calls, PutHandle handle) implements FilePutStream.Target {
    @Override
    public void append(ByteBuffer bytes) {
      calls.<Unit>call(port -> handle.append(bytes, port));
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
