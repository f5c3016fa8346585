package dev.upcall.bench.edits;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.content.EditPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Durable edits in the middle of files, by turns. Options: {@code directory} (made; everything is
 * in it), {@code cap} of the store, {@code sides} (their names, with commas), {@code bytes} of an
 * edit, {@code size} of the file that is edited, {@code edits} before it is read. An order says
 * {@code millis} and {@code side}.
 */
public final class EditsJob implements Job {
  private static final long SMALL_BYTES = 1 << 20;

  private final Path directory;
  private final EditedStore store;
  private final Map<String, EditSide> sides = new TreeMap<>();

  /** With a new store and files for all sides. */
  public EditsJob(Fields options) throws IOException, InterruptedException {
    directory = Files.createDirectories(Path.of(options.text("directory")));
    store =
        EditedStore.create(
            directory.resolve("store.upcall"), options.number("cap"), new DeviceChoice(options));
    try {
      for (String side : options.text("sides").split(",")) {
        sides.put(side, side(side, options));
      }
    } catch (IOException | InterruptedException | RuntimeException broken) {
      close();
      throw broken;
    }
  }

  private EditSide side(String name, Fields options) throws IOException, InterruptedException {
    int bytes = (int) options.number("bytes");
    long size = options.number("size");
    int edits = (int) options.number("edits");
    return switch (name) {
      case "large" -> StoreEdits.inserts(store.file("large", size), bytes);
      case "blocks" -> StoreEdits.insertsAtBlocks(store.file("large", size), bytes);
      case "small" -> StoreEdits.inserts(store.file("small", Math.min(size, SMALL_BYTES)), bytes);
      case "overwrite" -> StoreEdits.overwrites(store.file("large", size), bytes);
      case "head" -> StoreEdits.headToTail(store.file("large", size), bytes);
      case "append" -> StoreEdits.appends(store.file("log", 0), bytes);
      case "files" -> new ManyEdits(store, "f", bytes, size);
      case "small-files" -> new ManyEdits(store, "s", bytes, Math.min(size, SMALL_BYTES));
      case "join" -> new JoinedFiles(store, (int) options.number("files"), size);
      case "fresh" -> new Scan(store, "fresh", size);
      case "edited" -> scan(name, 1, edits, bytes, size);
      case "edited-16" -> scan(name, 16, edits, bytes, size);
      case "edited-64" -> scan(name, 64, edits, bytes, size);
      case "rewritten" -> scan(name, 1, edits, bytes, size).rewritten();
      case "eos-1", "eos-4", "eos-16", "eos-64" -> {
        store.make(name, size);
        store.choose(name, new EditPolicy.Eos(Integer.parseInt(name.substring("eos-".length()))));
        yield StoreEdits.inserts(store.file(name, size), bytes);
      }
      case "tail" -> PlainEdits.rewritingTails(directory.resolve("plain"), bytes, size);
      case "half" -> PlainEdits.rewritingHalves(directory.resolve("plain"), bytes, size);
      case "range" -> PlainEdits.insertingRanges(directory.resolve("plain"), bytes, size);
      default -> new PeerEdits(name, directory.resolve(name), bytes, (int) size);
    };
  }

  private Scan scan(String name, int threshold, int edits, int bytes, long size) {
    return Scan.edited(store, new Scan.Edits(name, edits, bytes, threshold), size);
  }

  @Override
  public Tally run(Fields order) throws IOException, InterruptedException {
    EditSide side = sides.get(order.text("side"));
    if (side == null) {
      throw new IllegalArgumentException("no such side: " + order.text("side"));
    }
    return side.run(order.number("millis") * 1_000_000);
  }

  @Override
  public void close() throws IOException {
    for (EditSide side : sides.values()) {
      side.close();
    }
    store.close();
    Lab.remove(directory);
  }
}
