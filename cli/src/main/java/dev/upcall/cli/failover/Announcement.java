package dev.upcall.cli.failover;

import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.remote.OwnerConnection;
import dev.upcall.cli.remote.RemoteCall;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the process that has a store open that this one is next in line for it, and answers what it
 * asks; on a thread of its own. Where it is not, or nobody listens, it looks again each second.
 */
public final class Announcement implements AutoCloseable {
  private static final long LOOK_MILLIS = 1000;

  /** Longer only takes an owner that hangs, or a machine that has no time for either. */
  private static final long SETTLED_MILLIS = 10_000;

  private final Path volume;
  private final BooleanSupplier isNext;
  private final SuccessorPort port;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** The owner knows it, or cannot for now. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private @Nullable OwnerConnection owner;

  /**
   * Begins.
   *
   * @param isNext whether it is next
   * @param port what answers to the owner, on the announcement's thread
   */
  public Announcement(Path volume, BooleanSupplier isNext, SuccessorPort port) {
    this.volume = volume;
    this.isNext = isNext;
    this.port = port;
    Thread.ofPlatform().daemon().name("announcement").start(this::run);
  }

  private void run() {
    try {
      do {
        if (isNext.getAsBoolean() && !isUnderstood()) {
          return;
        }
        settled.countDown();
      } while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    } finally {
      settled.countDown();
    }
  }

  /**
   * Waits until the owner knows it, at most until it is clear that it cannot for now: another one
   * is next, or nobody listens; and never longer than ten seconds.
   */
  public void awaitSettled() throws InterruptedException {
    settled.await(SETTLED_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Waits at the owner, if there is one; false when it is of a version that knows no standby. */
  private boolean isUnderstood() {
    try (OwnerConnection connection = OwnerConnection.open(volume)) {
      return connection == null
          || !isMine(connection)
          || standBy(connection).orElse(ExitCode.OK) == ExitCode.OK;
    } catch (IOException ended) {
      // It has gone, or has no place at the moment. Whether it is gone the lock tells.
      return true;
    } finally {
      port.forsaken();
    }
  }

  /** Whether this was not closed meanwhile: else nobody would end the connection. */
  private synchronized boolean isMine(OwnerConnection connection) {
    owner = connection;
    return closed.getCount() > 0;
  }

  private OptionalInt standBy(OwnerConnection connection) throws IOException {
    RemoteCall call =
        new RemoteCall(
            List.of(StandbyCommand.NAME),
            Path.of("").toAbsolutePath().toString(),
            volume.toString(),
            CommandSocket.key(volume),
            /* interactive= */ false,
            RemoteCall.Named.NONE);
    try (PipedInputStream in = new PipedInputStream();
        PipedOutputStream answers = new PipedOutputStream(in);
        PrintStream asked =
            new PrintStream(new Lines(answers), /* autoFlush= */ false, StandardCharsets.UTF_8);
        PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      return connection.run(call, new OwnerConnection.Streams(in, asked, nowhere, _ -> {}));
    }
  }

  /** Answers each line. */
  private final class Lines extends OutputStream {
    private final StringBuilder line = new StringBuilder();
    private final PipedOutputStream answers;

    Lines(PipedOutputStream answers) {
      this.answers = answers;
    }

    @Override
    public void write(int oneByte) throws IOException {
      if (oneByte != '\n') {
        line.append((char) oneByte);
        return;
      }
      settled.countDown();
      String said = port.answer(line.toString()) + "\n";
      line.setLength(0);
      answers.write(said.getBytes(StandardCharsets.UTF_8));
      answers.flush();
    }
  }

  /** Ends it; what is being answered is waited for by nobody. */
  @Override
  public void close() {
    OwnerConnection last;
    synchronized (this) {
      closed.countDown();
      last = owner;
    }
    if (last != null) {
      last.cancel();
    }
  }
}
