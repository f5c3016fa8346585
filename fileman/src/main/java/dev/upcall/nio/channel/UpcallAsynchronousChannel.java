package dev.upcall.nio.channel;

import dev.upcall.UpcallException;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.nio.content.Content;
import dev.upcall.nio.content.FileLocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.ClosedFileSystemException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose operations nobody waits for, on whatever thread: they begin in the program's
 * executor, or on the caller's thread where there is none, and what they need of the store comes by
 * its completion port. Handlers run in the executor, else on a virtual thread. What is under way
 * when the channel is closed ends with {@link AsynchronousCloseException}.
 */
public final class UpcallAsynchronousChannel extends AsynchronousFileChannel {
  private final UpcallFileChannel channel;
  private final OpenOptions.Access access;
  private final @Nullable Executor executor;
  private final Set<AsynchronousOperation<?>> underWay = ConcurrentHashMap.newKeySet();

  /**
   * Over a channel, which is closed with it.
   *
   * @param executor where operations begin and handlers run; null for the caller's and virtual ones
   */
  public UpcallAsynchronousChannel(
      UpcallFileChannel channel, OpenOptions.Access access, @Nullable Executor executor) {
    this.channel = channel.uninterruptible();
    this.access = access;
    this.executor = executor;
    channel.whenClosing(this::endAll);
  }

  private <T> Future<T> future(AsynchronousOperation.Body<T> body) {
    AsynchronousOperation<T> operation = new AsynchronousOperation<>(this, body, null);
    start(operation);
    return operation;
  }

  private <T, A> void start(
      AsynchronousOperation.Body<T> body,
      @Nullable A attachment,
      CompletionHandler<T, ? super A> handler) {
    Objects.requireNonNull(handler, "handler");
    start(
        new AsynchronousOperation<>(
            this, body, AsynchronousOperation.Heard.of(handler, attachment)));
  }

  private void start(AsynchronousOperation<?> operation) {
    underWay.add(operation);
    Executor begins = executor;
    if (!channel.isOpen()) {
      operation.fail(new ClosedChannelException(), begins == null ? this::tell : begins);
      return;
    }
    if (begins == null) {
      operation.begin(this::tell);
      return;
    }
    boolean accepted = false;
    try {
      begins.execute(() -> operation.begin(Runnable::run));
      accepted = true;
    } finally {
      if (!accepted) {
        ended(operation);
      }
    }
  }

  /** It is not under way any more. */
  void ended(AsynchronousOperation<?> operation) {
    underWay.remove(operation);
  }

  private void checkRead(ByteBuffer destination, long position) {
    checkPosition(position);
    if (!access.read()) {
      throw new NonReadableChannelException();
    }
    if (Objects.requireNonNull(destination, "dst").isReadOnly()) {
      throw new IllegalArgumentException("Read-only buffer");
    }
  }

  private void checkWrite(ByteBuffer source, long position) {
    checkPosition(position);
    if (!access.write()) {
      throw new NonWritableChannelException();
    }
    Objects.requireNonNull(source, "src");
  }

  private static void checkPosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("Negative position: " + position);
    }
  }

  @Override
  public <A> void read(
      ByteBuffer destination,
      long position,
      @Nullable A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    Objects.requireNonNull(handler, "handler");
    checkRead(destination, position);
    start(
        () -> AsynchronousOperation.read(channel.content(), position, destination),
        attachment,
        handler);
  }

  @Override
  public Future<Integer> read(ByteBuffer destination, long position) {
    checkRead(destination, position);
    return future(() -> AsynchronousOperation.read(channel.content(), position, destination));
  }

  @Override
  public <A> void write(
      ByteBuffer source,
      long position,
      @Nullable A attachment,
      CompletionHandler<Integer, ? super A> handler) {
    Objects.requireNonNull(handler, "handler");
    checkWrite(source, position);
    start(() -> channel.content().writeLater(position, source), attachment, handler);
  }

  @Override
  public Future<Integer> write(ByteBuffer source, long position) {
    checkWrite(source, position);
    return future(() -> channel.content().writeLater(position, source));
  }

  private void checkLock(boolean shared) {
    if (shared && !access.read()) {
      throw new NonReadableChannelException();
    }
    if (!shared && !access.write()) {
      throw new NonWritableChannelException();
    }
  }

  /** Of this channel: the JDK asks whose a lock is. */
  private FileLock locked(long position, long sizeBytes, boolean shared) throws IOException {
    Content content = channel.content();
    FileLocks.Region region = new FileLocks.Region(position, sizeBytes, shared, content);
    return channel.lock(region, new UpcallFileLock(this, channel, region, content.locks()));
  }

  @Override
  public <A> void lock(
      long position,
      long sizeBytes,
      boolean shared,
      @Nullable A attachment,
      CompletionHandler<FileLock, ? super A> handler) {
    checkLock(shared);
    if (!channel.isOpen()) {
      start(CompletableFuture<FileLock>::new, attachment, handler); // hears that
      return;
    }
    FileLock lock = lockedNow(position, sizeBytes, shared);
    start(() -> CompletableFuture.completedFuture(lock), attachment, handler);
  }

  @Override
  public Future<FileLock> lock(long position, long sizeBytes, boolean shared) {
    checkLock(shared);
    if (!channel.isOpen()) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    return CompletableFuture.completedFuture(lockedNow(position, sizeBytes, shared));
  }

  /** Nobody waits for a lock, so whoever asks gets it, or hears at once why not. */
  private FileLock lockedNow(long position, long sizeBytes, boolean shared) {
    try {
      return locked(position, sizeBytes, shared);
    } catch (IOException closedMeanwhile) {
      throw new UncheckedIOException(closedMeanwhile);
    }
  }

  @Override
  public FileLock tryLock(long position, long sizeBytes, boolean shared) throws IOException {
    checkLock(shared);
    if (!channel.isOpen()) {
      throw new ClosedChannelException();
    }
    return locked(position, sizeBytes, shared);
  }

  @Override
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public AsynchronousFileChannel truncate(long sizeBytes) throws IOException {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("Negative size: " + sizeBytes);
    }
    if (!access.write()) {
      throw new NonWritableChannelException();
    }
    channel.truncate(sizeBytes);
    return this;
  }

  @Override
  public void force(boolean metadata) throws IOException {
    channel.force(metadata);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  /** What is under way ends at once; whether some of it has happened nobody is told. */
  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void endAll() {
    for (AsynchronousOperation<?> operation : List.copyOf(underWay)) {
      operation.fail(new AsynchronousCloseException(), this::tell);
    }
  }

  /** Runs a handler in the executor, unless there is none or it is shut down. Any thread. */
  void tell(Runnable handler) {
    Executor present = executor;
    if (present != null) {
      try {
        present.execute(handler);
        return;
      } catch (Throwable refused) {
        // One that is shut down, or throws as it likes. Whoever ends an operation runs no handlers.
        System.getLogger(UpcallAsynchronousChannel.class.getName())
            .log(System.Logger.Level.DEBUG, "an executor refuses a handler", refused);
      }
    }
    if (VirtualThreads.start("upcall-nio", handler) == null) {
      handler.run();
    }
  }

  /** What a failure is to the program. */
  Throwable told(Throwable failure) {
    if (failure.getClass() == ClosedChannelException.class) {
      return new AsynchronousCloseException(); // it was open when this was asked for
    }
    if (failure instanceof UpcallException failed) {
      try {
        return channel.exception(failed);
      } catch (ClosedFileSystemException closed) {
        return closed;
      }
    }
    return failure;
  }

  /** The JDK has no way to say that it failed: what was collected is told by the next force. */
  void closeForCancel() {
    try {
      close();
    } catch (IOException failed) {
      System.getLogger(UpcallAsynchronousChannel.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "closing a channel whose operation was cancelled",
              failed);
    }
  }
}
