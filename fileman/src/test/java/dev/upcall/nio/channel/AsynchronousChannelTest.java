package dev.upcall.nio.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When operations of asynchronous channels end, how, and on whose thread that is heard. */
class AsynchronousChannelTest {
  private static final Set<OpenOption> BOTH =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  @TempDir Path folder;

  private Upcall store;
  private FileSystem system;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    store =
        Upcall.create(folder.resolve("a.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(16L << 20));
    system = store.fileSystem();
    file = Files.writeString(system.getPath("/f"), "0123456789");
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** An executor that does what it was given when it is told to, on the thread that tells. */
  private static final class Later extends AbstractExecutorService {
    private final Queue<Runnable> given = new ArrayDeque<>();

    @Override
    public void execute(Runnable command) {
      given.add(command);
    }

    void doAll() {
      for (Runnable next = given.poll(); next != null; next = given.poll()) {
        next.run();
      }
    }

    @Override
    public void shutdown() {
      throw new AssertionError("it is not the channel's");
    }

    @Override
    public List<Runnable> shutdownNow() {
      throw new AssertionError("it is not the channel's");
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  /** Completes with what the handler was told, and by whom. */
  private static final class Heard<T> implements CompletionHandler<T, String> {
    final CompletableFuture<Object> what = new CompletableFuture<>();
    final CompletableFuture<Thread> where = new CompletableFuture<>();

    @Override
    public void completed(T value, String attachment) {
      where.complete(Thread.currentThread());
      what.complete(attachment + " " + value);
    }

    @Override
    public void failed(Throwable failure, String attachment) {
      where.complete(Thread.currentThread());
      what.complete(failure);
    }
  }

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static Throwable failure(Future<?> future) {
    return assertThrows(ExecutionException.class, future::get).getCause();
  }

  @Test
  void handlersRunInTheExecutorThatWasGiven() throws Exception {
    try (ExecutorService executor =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().name("mine").factory());
        AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, executor)) {
      Heard<Integer> read = new Heard<>();
      channel.read(ByteBuffer.allocate(4), 2, "read", read);
      assertEquals("read 4", read.what.get());
      assertEquals("mine", read.where.get().getName());
      Heard<Integer> behind = new Heard<>();
      channel.read(ByteBuffer.allocate(4), 10, "read", behind);
      assertEquals("read -1", behind.what.get());
      Heard<FileLock> locked = new Heard<>();
      channel.lock(0, 1, false, "lock", locked);
      assertEquals("mine", locked.where.get().getName());
      assertFalse(executor.isShutdown());
    }
    try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null)) {
      Heard<Integer> read = new Heard<>();
      channel.read(ByteBuffer.allocate(4), 0, "read", read);
      assertTrue(read.where.get().isVirtual());
    }
  }

  @Test
  void manyAreUnderWayAtOnce() throws Exception {
    try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null)) {
      List<Future<Integer>> writes = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        writes.add(channel.write(text("%04d".formatted(i)), 4L * i));
      }
      for (Future<Integer> write : writes) {
        assertEquals(4, write.get());
      }
      List<ByteBuffer> read = new ArrayList<>();
      List<Future<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        ByteBuffer into = ByteBuffer.allocate(8); // each shares half with the next
        read.add(into);
        reads.add(channel.read(into, 4L * i));
      }
      for (int i = 0; i < 499; i++) {
        assertEquals(8, reads.get(i).get());
        assertEquals("%04d%04d".formatted(i, i + 1), new String(read.get(i).array(), UTF_8));
      }
      assertEquals(4, reads.getLast().get());
    }
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    Later later = new Later();
    AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, later);
    Future<Integer> read = channel.read(ByteBuffer.allocate(4), 0);
    Heard<Integer> write = new Heard<>();
    channel.write(text("never"), 0, "write", write);
    channel.close();
    assertInstanceOf(AsynchronousCloseException.class, failure(read));
    assertFalse(write.what.isDone(), "a handler runs in the executor");
    later.doAll();
    assertInstanceOf(AsynchronousCloseException.class, write.what.get());
    assertEquals("0123456789", Files.readString(file), "it had not begun");

    Heard<Integer> after = new Heard<>();
    channel.read(ByteBuffer.allocate(4), 0, "read", after);
    assertFalse(after.what.isDone());
    later.doAll();
    assertEquals(ClosedChannelException.class, after.what.get().getClass());
    assertEquals(
        ClosedChannelException.class, failure(channel.read(ByteBuffer.allocate(4), 0)).getClass());
    assertEquals(ClosedChannelException.class, failure(channel.lock()).getClass());
    channel.close();
  }

  @Test
  void closingTheFileSystemEndsWhatIsUnderWay() throws Exception {
    Later later = new Later();
    AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, later);
    Future<Integer> read = channel.read(ByteBuffer.allocate(4), 0);
    system.close();
    later.doAll();
    assertFalse(channel.isOpen());
    assertInstanceOf(AsynchronousCloseException.class, failure(read));
  }

  @Test
  void cancellingEndsOneAndInterruptingAll() throws Exception {
    Later later = new Later();
    AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, later);
    Future<Integer> one = channel.write(text("one"), 0);
    Future<Integer> two = channel.write(text("two"), 4);
    assertTrue(one.cancel(false));
    assertTrue(one.isCancelled());
    assertFalse(one.cancel(true), "it has ended");
    later.doAll();
    assertThrows(CancellationException.class, one::get);
    assertEquals(3, two.get());
    assertFalse(two.cancel(true));
    assertTrue(channel.isOpen());
    assertEquals("0123two789", Files.readString(file));

    Future<Integer> interrupted = channel.read(ByteBuffer.allocate(1), 0);
    Future<Integer> other = channel.read(ByteBuffer.allocate(1), 0);
    assertTrue(interrupted.cancel(true));
    assertFalse(channel.isOpen());
    assertThrows(CancellationException.class, interrupted::get);
    assertInstanceOf(AsynchronousCloseException.class, failure(other));
    later.doAll();
  }

  @Test
  void anExecutorThatIsShutDownIsTold() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, executor);
    executor.shutdown();
    assertThrows(RejectedExecutionException.class, () -> channel.read(ByteBuffer.allocate(1), 0));
    channel.close();
  }
}
