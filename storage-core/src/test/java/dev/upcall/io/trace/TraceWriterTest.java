package dev.upcall.io.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceWriterTest {
  private static final TraceHeader HEADER = new TraceHeader(7, 8, 9);
  private static final long PLENTY = 1L << 30;

  @TempDir Path folder;

  /** A file in memory that waits when it is told to, and may be full. */
  private static final class Memory implements TraceWriter.Target {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Semaphore permits;
    private final int roomBytes;
    private volatile boolean closed;

    Memory(int permits, int roomBytes) {
      this.permits = new Semaphore(permits);
      this.roomBytes = roomBytes;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
      permits.acquireUninterruptibly();
      byte[] part = new byte[Math.min(from.remaining(), roomBytes - bytes.size())];
      from.get(part);
      bytes.write(part);
      if (from.hasRemaining()) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void close() {
      closed = true;
    }

    List<TraceEntry> entries() throws IOException {
      return TraceWriterTest.entries(
          TraceReader.of(new ByteArrayInputStream(bytes.toByteArray()), "memory"));
    }
  }

  private static List<TraceEntry> entries(TraceReader from) throws IOException {
    try (from) {
      List<TraceEntry> entries = new ArrayList<>();
      for (TraceEntry entry = from.next(); entry != null; entry = from.next()) {
        entries.add(entry);
      }
      return entries;
    }
  }

  /** Entries in such a quick succession that only full buffers go to the file. */
  private static List<TraceEntry> steady(int entries) {
    List<TraceEntry> trace = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      trace.add(
          new TraceEntry(
              1000L * i,
              DiskOperation.READ,
              IoClass.FOREGROUND_READ,
              new TraceEntry.Run(i, 1),
              TraceEntry.Source.UNKNOWN));
    }
    return trace;
  }

  private TraceWriter writer(Memory memory, long maxBytes) {
    TraceWriter writer = new TraceWriter(memory, HEADER, maxBytes, reasons::add);
    writer.begin();
    return writer;
  }

  private final List<String> reasons = new CopyOnWriteArrayList<>();

  private static void end(TraceWriter writer) {
    writer.end();
    writer.awaitEnd();
    assertTrue(writer.isOver());
  }

  @Test
  void aFileHoldsAllThatWasRecorded() throws IOException {
    // What two buffers hold, so that nothing depends on how fast the file is.
    List<TraceEntry> trace = steady(2 * 64 * TraceFormat.MAX_ENTRIES);
    Path path = folder.resolve("trace");
    TraceWriter writer = TraceWriter.start(path, HEADER, PLENTY);
    trace.forEach(writer::record);
    end(writer);
    TraceReader reader = TraceReader.open(path);
    assertEquals(HEADER, reader.header());
    assertEquals(trace, entries(reader));
    assertEquals("", reader.damage());
    assertEquals(0, reader.gaps());
    assertThrows(FileAlreadyExistsException.class, () -> TraceWriter.start(path, HEADER, PLENTY));
  }

  @Test
  void anotherFileIsNoTrace() throws IOException {
    Path path = folder.resolve("other");
    Files.writeString(path, "something else");
    IOException refused = assertThrows(IOException.class, () -> TraceReader.open(path));
    assertTrue(refused.getMessage().startsWith(path + ": it is no block trace"));
  }

  @Test
  void aSlowFileLosesEntriesAndSaysWhere() throws IOException {
    Memory memory = new Memory(/* permits= */ 1, Integer.MAX_VALUE);
    TraceWriter writer = writer(memory, PLENTY);
    List<TraceEntry> trace = steady(60_000);
    trace.forEach(writer::record);
    assertEquals(2 * 64 * TraceFormat.MAX_ENTRIES, writer.recorded());
    assertEquals(60_000 - writer.recorded(), writer.lost());
    memory.permits.release(1000);
    long before = writer.recorded();
    TraceEntry late =
        new TraceEntry(
            1_000_000_000,
            DiskOperation.SYNC,
            IoClass.LOG,
            new TraceEntry.Run(0, 0),
            TraceEntry.Source.UNKNOWN);
    while (writer.recorded() == before) {
      writer.record(late);
      Thread.onSpinWait();
    }
    end(writer);
    TraceReader reader =
        TraceReader.of(new ByteArrayInputStream(memory.bytes.toByteArray()), "memory");
    List<TraceEntry> found = entries(reader);
    assertEquals(trace.subList(0, (int) before), found.subList(0, (int) before));
    assertEquals(late, found.getLast());
    assertEquals(1, reader.gaps());
    assertEquals(List.of(), reasons);
    assertTrue(memory.closed);
  }

  @Test
  void aFullDiskEndsTheTraceWithOneLine() throws IOException {
    Memory memory = new Memory(1000, 64 + 3 * TraceFormat.BLOCK_BYTES + 100);
    TraceWriter writer = writer(memory, PLENTY);
    List<TraceEntry> trace = steady(30_000);
    trace.forEach(writer::record);
    end(writer);
    assertEquals(List.of("No space left on device"), reasons);
    assertTrue(memory.closed);
    assertEquals(trace.subList(0, 3 * TraceFormat.MAX_ENTRIES), memory.entries());
    long before = writer.recorded();
    trace.forEach(writer::record);
    assertEquals(before, writer.recorded(), "nobody asks for more");
  }

  @Test
  void aTraceIsBounded() throws IOException {
    Memory memory = new Memory(1000, Integer.MAX_VALUE);
    long maxBytes = 64 + 5 * TraceFormat.BLOCK_BYTES + 100;
    TraceWriter writer = writer(memory, maxBytes);
    List<TraceEntry> trace = steady(15_000);
    trace.forEach(writer::record);
    end(writer);
    assertEquals(List.of("it has its full size of " + maxBytes + " bytes"), reasons);
    assertEquals(64 + 5 * TraceFormat.BLOCK_BYTES, memory.bytes.size());
    assertEquals(trace.subList(0, 5 * TraceFormat.MAX_ENTRIES), memory.entries());
    assertThrows(IllegalArgumentException.class, () -> writer(memory, 100));
  }

  /** A port of somebody who is known. */
  private record Known(CompletionPort<Unit> port, int asker, int parts, long waitedNanos)
      implements AskingPort {
    @Override
    public void complete(Completion<Unit> completion) {
      port.complete(completion);
    }
  }

  @Test
  void aTracedDiskTellsWhoAsks() {
    SimWorld world = SimWorld.ofBlocks(1, 64).closesUnchecked("the blocks are no store's");
    List<TraceEntry> trace = new ArrayList<>();
    TracedDisk disk = new TracedDisk(world.disk(), world.dispatcher(), trace::add);
    int[] done = {0};
    disk.submit(new DiskRequest.Stat(IoClass.BACKGROUND, completion -> done[0]++));
    disk.submit(new DiskRequest.Sync(IoClass.LOG, completion -> done[0]++));
    disk.submit(
        new DiskRequest.Read(
            5,
            List.of(Disk.newBuffer(2 * Disk.BLOCK_BYTES)),
            IoClass.READ_AHEAD,
            new Known(completion -> done[0]++, 42, 3, 1700)));
    assertTrue(world.runUntil(() -> done[0] == 3));
    TraceEntry.Run none = new TraceEntry.Run(0, 0);
    assertEquals(
        List.of(
            new TraceEntry(0, DiskOperation.SYNC, IoClass.LOG, none, TraceEntry.Source.UNKNOWN),
            new TraceEntry(
                0,
                DiskOperation.READ,
                IoClass.READ_AHEAD,
                new TraceEntry.Run(5, 2),
                new TraceEntry.Source(42, 3, 1700))),
        trace);
  }
}
