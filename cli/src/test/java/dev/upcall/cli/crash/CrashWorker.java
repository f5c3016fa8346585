package dev.upcall.cli.crash;

import dev.upcall.Engine;
import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.config.KeySource;
import dev.upcall.request.FileRequest;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The process that is killed: several writers, an importer, one whose files expire, and one that
 * changes entries of a table, each with a journal of what was acknowledged; with state machines
 * also tellers with transactions, and snapshots. Arguments: folder, seed, engine, setting. Works
 * until it dies.
 */
public final class CrashWorker {
  static final int WRITERS = 3;
  public static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT.withMemoryBytes(32 << 20).withCapBytes(1L << 30);

  private static final int KEY_BYTES = 32;

  /** How a store is set. */
  enum Setting {
    /** As it comes. */
    PLAIN,
    /** Encrypted; content is compressed, shared where it is there already, and gathered. */
    ALL_OPTIONS;

    UpcallConfig config() {
      return switch (this) {
        case PLAIN -> CONFIG;
        case ALL_OPTIONS ->
            CONFIG
                .withKey(KeySource.ofBytes(new byte[KEY_BYTES]))
                .withContent(
                    ContentConfig.DEFAULT
                        .withCompression(Compression.BALANCED)
                        .withDedup(Dedup.FILE)
                        .withGatherBytes(4 << 20));
      };
    }
  }

  /** The journal of the snapshots. */
  static final String SNAPSHOTS = "snapshots";

  /** The directory that they are about. */
  private static final String REMEMBERED = "/writer0";

  private static final int OPERATIONS_REMEMBERED = 10;

  private CrashWorker() {}

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    long seed = Long.parseLong(args[1]);
    UpcallConfig config = Setting.valueOf(args[3]).config();
    Upcall store =
        Upcall.openOrCreate(folder.resolve("s.upcall"), config.withEngine(Engine.valueOf(args[2])));
    for (int writer = 0; writer < WRITERS; writer++) {
      CrashModel model = new CrashModel(seed, writer);
      start("writer " + writer, () -> write(store, folder, model));
    }
    if (store.config().engine() == Engine.FSM) {
      startTellers(store, folder);
    }
    start("perishables", () -> CrashPerishables.work(store, folder, seed));
    start("entries", () -> CrashEntries.work(store, folder, seed));
    start("importer", () -> importForEver(store, folder));
  }

  private static void startTellers(Upcall store, Path folder) {
    CrashBank.found(store);
    for (int teller = 0; teller < CrashBank.TELLERS; teller++) {
      int number = teller;
      start("teller " + teller, () -> CrashBank.work(store, folder, number));
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(String name, Work work) {
    Thread.ofPlatform()
        .name(name)
        .start(
            () -> {
              try {
                work.run();
              } catch (Throwable failed) {
                failed.printStackTrace();
                Runtime.getRuntime().halt(7);
              }
            });
  }

  private static void write(Upcall store, Path folder, CrashModel model) throws IOException {
    store.createDirectories(model.directory());
    Path path = Journal.path(folder, model.directory().substring(1));
    model.advanceTo(Journal.count(path));
    try (Journal journal = new Journal(path)) {
      while (true) {
        CrashModel.Operation next = model.next();
        perform(store, model, next);
        model.apply(next);
        journal.acknowledged(model.done());
        if (store.config().engine() == Engine.FSM
            && model.directory().equals(REMEMBERED)
            && model.done() % OPERATIONS_REMEMBERED == 0) {
          remember(store, folder, Long.toString(model.done()));
        }
      }
    }
  }

  /**
   * Makes a snapshot that has the number of operations done for its name, and drops the others:
   * those before, and what a life before has left.
   */
  private static void remember(Upcall store, Path folder, String name) throws IOException {
    List<String> before =
        store.fsm().snapshots().snapshots().stream().map(NamedSnapshot::name).toList();
    if (!before.contains(name)) {
      store.fsm().createSnapshot(name);
    }
    try (Journal journal = new Journal(Journal.path(folder, SNAPSHOTS))) {
      journal.acknowledged(Long.parseLong(name));
    }
    for (String old : before) {
      if (!old.equals(name)) {
        store.fsm().dropSnapshot(old);
      }
    }
  }

  private static void perform(Upcall store, CrashModel model, CrashModel.Operation operation) {
    String prefix = model.directory() + "/";
    switch (operation) {
      case CrashModel.Operation.Put(String name, CrashModel.Piece piece) ->
          store.write(prefix + name, CrashModel.bytes(piece));
      case CrashModel.Operation.Append(String name, CrashModel.Piece piece) -> {
        try (Upcall.RandomAccess file = store.open(prefix + name, OpenMode.EXISTING)) {
          file.append(ByteBuffer.wrap(CrashModel.bytes(piece)));
          file.flush();
        }
      }
      case CrashModel.Operation.Splice(
              String name,
              int at,
              int removed,
              CrashModel.Piece piece) -> {
        List<CrashModel.Piece> pieces = model.files().get(name);
        store.splice(
            prefix + name,
            CrashModel.sizeBytes(pieces.subList(0, at)),
            CrashModel.sizeBytes(pieces.subList(at, at + removed)),
            CrashModel.bytes(piece));
      }
      case CrashModel.Operation.Delete(String name) -> store.delete(prefix + name);
      case CrashModel.Operation.Rename(String from, String to) ->
          store.rename(prefix + from, prefix + to, Existence.ANY);
      case CrashModel.Operation.Clone(String from, String to) ->
          store.cloneFile(prefix + from, prefix + to, Existence.ANY);
      case CrashModel.Operation.Join(String from, String to, int at) ->
          store.copyRange(
              FileRequest.Range.all(StorePath.of(prefix + from)),
              prefix + to,
              CrashModel.sizeBytes(model.files().get(to).subList(0, at)),
              FileRequest.Placing.INSERT);
      case CrashModel.Operation.Batch(List<CrashModel.Operation.Put> puts) ->
          store.batch(puts.stream().map(put -> request(prefix, put)).toList());
    }
  }

  private static FileRequest request(String prefix, CrashModel.Operation.Put put) {
    return new FileRequest.Put(
        StorePath.of(prefix + put.name()),
        new FileContent.Bytes(CrashModel.bytes(put.piece())),
        PutOptions.DEFAULT);
  }

  /**
   * Odd operations import the tree once more, even ones delete the copy before the last; one that
   * the kill cut off between its commit and the journal has done so already.
   */
  private static void importForEver(Upcall store, Path folder) throws IOException {
    Path path = Journal.path(folder, "importer");
    store.createDirectories("/imports");
    try (Journal journal = new Journal(path)) {
      for (long done = Journal.count(path); ; done++) {
        long copy = done / 2;
        if (done % 2 == 0) {
          importOnce(store, folder.resolve("tree"), copy);
        } else if (copy >= 1 && store.exists("/imports/" + (copy - 1))) {
          store.deleteTree("/imports/" + (copy - 1));
        }
        journal.acknowledged(done + 1);
      }
    }
  }

  private static void importOnce(Upcall store, Path tree, long copy) throws IOException {
    ImportOptions options =
        ImportOptions.of(tree, StorePath.of("/imports/" + copy))
            .withGone(ImportOptions.Gone.REMOVE)
            .withReaders(2);
    TreeSummary summary = Trees.importing(store, options).run();
    if (summary.problemCount() > 0) {
      throw new IllegalStateException(summary.toString());
    }
  }
}
