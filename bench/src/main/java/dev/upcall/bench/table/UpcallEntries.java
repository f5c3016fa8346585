package dev.upcall.bench.table;

import dev.upcall.BatchResult;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.peer.EntryStore;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Look;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import dev.upcall.table.Codecs;
import dev.upcall.table.Range;
import dev.upcall.table.SortedTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A sorted table of ours, over the blocking face; puts that are outstanding at once need none. */
final class UpcallEntries implements EntryStore {
  /** A quarter of a store's memory is for pages of trees in the heap. */
  private static final int PAGES_PART = 4;

  private static final String TABLE = "/entries";

  private final FsmUpcall store;
  private final SortedTable<byte[], byte[]> table;

  /**
   * Opens it, or makes it.
   *
   * @param config what is special in it; its memory is chosen so that tree pages have that of the
   *     room in the heap. Those that leave it have the share of content, of which there is none.
   */
  UpcallEntries(Room room, UpcallConfig config) throws java.io.IOException {
    Path volume = Files.createDirectories(room.directory()).resolve("entries.upcall");
    store =
        Upcall.openOrCreate(volume, config.withMemoryBytes(room.memoryBytes() * PAGES_PART)).fsm();
    table = store.sortedTable(TABLE, Codecs.BYTES, Codecs.BYTES);
  }

  @Override
  public void put(byte[] key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public void putAll(List<Entry> entries) {
    store.batch(requests(entries));
  }

  @Override
  public void load(List<Entry> entries) {
    store.batch(requests(entries), Durability.ASYNC);
  }

  private static List<FileRequest> requests(List<Entry> entries) {
    List<FileRequest> requests = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      requests.add(new TableRequest.PutEntry(TABLE, entry.key(), entry.value()));
    }
    return requests;
  }

  @Override
  public void sync() {
    store.flush();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return table.get(key).orElse(null);
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) {
    Range<byte[]> rest = Range.from(from);
    int given = 0;
    while (given < most) {
      int limit = Math.min(Look.Entries.MAX_ENTRIES, most - given);
      List<Map.Entry<byte[], byte[]>> page = table.page(rest, Direction.ASCENDING, limit);
      if (page.isEmpty()) {
        break;
      }
      for (Map.Entry<byte[], byte[]> entry : page) {
        sink.take(entry.getKey(), entry.getValue());
      }
      given += page.size();
      rest = Range.above(page.getLast().getKey());
    }
    return given;
  }

  /**
   * Durable puts, each a commit, so many of them outstanding at once on the store's own thread.
   *
   * @param numbers of the entries, asked on the store's thread
   */
  Tally put(int depth, LongPredicate goesOn, Entries entries, LongSupplier numbers) {
    return ClosedLoop.run(
        store::execute, depth, goesOn, loop -> new Putter(loop, entries, numbers));
  }

  private final class Putter extends ClosedLoop.Chain implements CompletionPort<BatchResult> {
    private final Entries entries;
    private final LongSupplier numbers;

    private Putter(ClosedLoop loop, Entries entries, LongSupplier numbers) {
      super(loop);
      this.entries = entries;
      this.numbers = numbers;
    }

    @Override
    protected void begin() {
      long number = numbers.getAsLong();
      FileRequest put =
          new TableRequest.PutEntry(TABLE, Entries.key(number), entries.value(number, number));
      store.fileManager().batch(List.of(put), Durability.SYNC, this);
    }

    @Override
    public void complete(Completion<BatchResult> completion) {
      switch (completion) {
        case Completion.Done<BatchResult> _ -> done();
        case Completion.Failed<BatchResult> failed -> failed(failed.failure());
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
