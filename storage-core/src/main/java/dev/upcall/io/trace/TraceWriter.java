package dev.upcall.io.trace;

import dev.upcall.base.ThreadEnd;
import dev.upcall.config.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace into a file, on a thread of its own, from two buffers. It never makes the
 * dispatcher wait: when both are full, entries are lost, which the file says and which is counted.
 * When the file has its full size or cannot be written any more, the trace ends with one line in
 * the log. A buffer goes to the file when it is full, or when an entry comes that is a second
 * younger than its first; what it holds when the process is killed is missing.
 */
public final class TraceWriter implements TraceSink {
  /** What a buffer holds: some 10,000 entries, a quarter of a megabyte. */
  private static final int CHUNK_BLOCKS = 64;

  private static final int CHUNKS = 2;

  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final System.Logger LOG = System.getLogger(TraceWriter.class.getName());

  private final Target target;
  private final TraceHeader header;
  private final long maxBytes;
  private final Consumer<String> ended;
  private final Thread thread;

  /** All chunks that there are go round through these, and one may be {@link #current}. */
  private final ConcurrentLinkedQueue<TraceChunk> full = new ConcurrentLinkedQueue<>();

  private final ConcurrentLinkedQueue<TraceChunk> empty = new ConcurrentLinkedQueue<>();

  private @Nullable TraceChunk current;
  private long recorded;
  private long lost;
  private boolean lostSome;

  private volatile boolean isEnding;
  private volatile boolean isOver;

  /** Where the bytes go. The writer's thread. */
  interface Target {
    void write(ByteBuffer bytes) throws IOException;

    void close() throws IOException;
  }

  /**
   * A trace that has not begun.
   *
   * @param ended hears why the trace has ended by itself; on the writer's thread
   */
  TraceWriter(Target target, TraceHeader header, long maxBytes, Consumer<String> ended) {
    Limits.atLeast("size of a block trace", maxBytes, TraceFormat.BLOCK_BYTES * 2L);
    this.target = target;
    this.header = header;
    this.maxBytes = maxBytes;
    this.ended = ended;
    for (int i = 0; i < CHUNKS; i++) {
      empty.offer(new TraceChunk(CHUNK_BLOCKS));
    }
    this.thread = Thread.ofPlatform().name("upcall-block-trace").daemon().unstarted(this::work);
  }

  /**
   * Begins a trace in a new file. For a thread that may wait.
   *
   * @param maxBytes the trace ends before its file is larger
   * @throws IOException if there is such a file, or it cannot be made
   */
  public static TraceWriter start(Path path, TraceHeader header, long maxBytes) throws IOException {
    FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Consumer<String> ended =
        why ->
            LOG.log(System.Logger.Level.WARNING, "the block trace {0} has ended: {1}", path, why);
    TraceWriter writer = new TraceWriter(target(file), header, maxBytes, ended);
    writer.begin();
    return writer;
  }

  private static Target target(FileChannel file) {
    return new Target() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  void begin() {
    thread.start();
  }

  // ------------------------------------------------------------------ the dispatcher's thread

  @Override
  public void record(TraceEntry entry) {
    if (isOver) {
      return;
    }
    TraceChunk chunk = current;
    if (chunk != null && entry.timeNanos() - chunk.firstNanos() > KEEP_NANOS) {
      chunk = handOver(chunk);
    }
    if (chunk == null) {
      chunk = next();
    }
    if (chunk != null && !chunk.add(entry)) {
      handOver(chunk);
      chunk = next();
      if (chunk != null) {
        chunk.add(entry);
      }
    }
    current = chunk;
    recorded += chunk == null ? 0 : 1;
    lost += chunk == null ? 1 : 0;
    lostSome = chunk == null;
  }

  private @Nullable TraceChunk handOver(TraceChunk chunk) {
    full.offer(chunk);
    LockSupport.unpark(thread);
    return null;
  }

  private @Nullable TraceChunk next() {
    TraceChunk chunk = empty.poll();
    if (chunk != null) {
      chunk.begin();
      if (lostSome) {
        chunk.lost();
      }
    }
    return chunk;
  }

  /** How many entries were taken, to be written. */
  public long recorded() {
    return recorded;
  }

  /** How many entries found no room because the file is slow. */
  public long lost() {
    return lost;
  }

  /** Nothing more comes: what is there is written, and the file closed. */
  public void end() {
    TraceChunk chunk = current;
    if (chunk != null) {
      current = handOver(chunk);
    }
    isEnding = true;
    LockSupport.unpark(thread);
  }

  // ------------------------------------------------------------------ any thread

  /** Waits until the file is closed. */
  public void awaitEnd() {
    ThreadEnd.await(thread);
  }

  /** Whether the trace has ended, by {@link #end} or by itself. */
  public boolean isOver() {
    return isOver;
  }

  // ------------------------------------------------------------------ the writer's thread

  private void work() {
    String why = "";
    try {
      target.write(TraceFormat.header(header));
      why = writeAll();
    } catch (IOException failed) {
      why = String.valueOf(failed.getMessage());
    }
    isOver = true;
    try {
      target.close();
    } catch (IOException failed) {
      why = why.isEmpty() ? String.valueOf(failed.getMessage()) : why;
    }
    if (!why.isEmpty()) {
      ended.accept(why);
    }
  }

  /** Writes what comes until nothing more does; says why if it ends before. */
  private String writeAll() throws IOException {
    long left = maxBytes - TraceFormat.HEADER_BYTES;
    while (true) {
      // Looked at first: what came before the end is in the queue when the end is seen.
      boolean last = isEnding;
      TraceChunk chunk = full.poll();
      if (chunk == null && last) {
        return "";
      }
      if (chunk == null) {
        LockSupport.park(this);
        continue;
      }
      ByteBuffer blocks = chunk.whole();
      if (blocks.limit() > left) {
        blocks.limit((int) (left - left % TraceFormat.BLOCK_BYTES));
        target.write(blocks);
        return "it has its full size of " + maxBytes + " bytes";
      }
      left -= blocks.limit();
      target.write(blocks);
      empty.offer(chunk);
    }
  }
}
