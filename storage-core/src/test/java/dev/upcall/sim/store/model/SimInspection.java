package dev.upcall.sim.store.model;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compares an open store, at rest, with the model. */
public final class SimInspection {
  private final SimWorld world;
  private final Store store;
  private final SimModel model;

  public SimInspection(SimWorld world, Store store, SimModel model) {
    this.world = world;
    this.store = store;
    this.model = model;
  }

  public static void checkThat(boolean fact, String what) {
    checkThat(fact, () -> what);
  }

  /** The same with a text that is put together only if it is not so: that takes longer. */
  public static void checkThat(boolean fact, Supplier<String> what) {
    if (!fact) {
      throw new AssertionError(what.get());
    }
  }

  /** An inode as text, the same in each run: its checksums say only where they are in memory. */
  public static String text(@Nullable Inode inode) {
    return inode == null
        ? "nothing"
        : "version %d, %d bytes".formatted(inode.version(), inode.size());
  }

  /** What failed did so because the disk lied. */
  public static void checkCorrupt(@Nullable Completion<?> completion) {
    boolean corrupt =
        completion instanceof Completion.Failed<?> failed
            && failed.failure() instanceof Failure.Corrupt;
    checkThat(corrupt, "got " + completion);
  }

  /** The store is what the model allows, byte by byte; the model goes on from there. */
  public void compare() {
    String wrong = settleNames();
    checkThat(wrong == null, String.valueOf(wrong));
    compareFiles();
    compareNamed();
  }

  /** As {@link #compare}, but for named snapshots, of which some may have been dropped since. */
  public void compareFiles() {
    Completion<SimModel.Snapshot> seen = world.await(this::look);
    if (!(seen instanceof Completion.Done<SimModel.Snapshot> found)) {
      throw new AssertionError("look: " + seen);
    }
    model.left(store.info().opening().scn(), found.value());
    String wrong = model.settle(found.value());
    checkThat(wrong == null, String.valueOf(wrong));
    checkThat(lostContents().isEmpty(), "files lost on a sound disk");
  }

  private @Nullable String settleNames() {
    Completion<NamedSnapshotList> listed = world.await(store.namedSnapshots()::list);
    if (!(listed instanceof Completion.Done<NamedSnapshotList> done)) {
      throw new AssertionError("list of snapshots: " + listed);
    }
    return model.names().settle(done.value().snapshots(), model::at);
  }

  /** Every named snapshot shows what it must, and one of them byte by byte. */
  private void compareNamed() {
    int number = 0;
    int whole = (int) (store.info().scn() % Math.max(1, model.names().known().size()));
    for (var entry : model.names().known().entrySet()) {
      String name = "snapshot " + entry.getKey();
      Completion<Snapshot> opened =
          world.await(port -> store.namedSnapshots().open(entry.getKey(), port));
      if (!(opened instanceof Completion.Done<Snapshot>(Snapshot snapshot))) {
        throw new AssertionError(name + ": " + opened);
      }
      SimModel.Snapshot shows = entry.getValue().shows();
      Completion<SimModel.Snapshot> seen =
          world.await(port -> snapshot.query(view -> Completion.done(look(view)), port));
      checkThat(
          seen instanceof Completion.Done<SimModel.Snapshot> found
              && shows.looksLike(found.value()),
          () -> name + ":\n found " + seen + "\n must  " + shows);
      if (number++ == whole) {
        shows
            .files()
            .forEach(
                (id, state) -> {
                  Completion<byte[]> read = read(snapshot, id);
                  checkThat(
                      read instanceof Completion.Done<byte[]> bytes
                          && Arrays.equals(bytes.value(), state.bytes()),
                      () -> name + ": file " + id + ", " + state + ": " + read);
                });
        checkThat(lostValues(snapshot, shows.tables()).isEmpty(), name + ": large values lost");
      }
      snapshot.close();
    }
  }

  /**
   * As {@link #compare} for a device that has failed and may have made the store read-only. Whether
   * the store could be looked at.
   */
  public boolean compareUnlessFailing() {
    Completion<SimModel.Snapshot> seen = world.await(this::look);
    if (seen instanceof Completion.Failed<SimModel.Snapshot> failed) {
      checkThat(failed.failure() instanceof Failure.Device, "look: " + seen);
      return false;
    }
    compare();
    return true;
  }

  /** As {@link #compare} for a disk that lied: what can be read is right. */
  public void compareWhatIsLeft() {
    Completion<SimModel.Snapshot> seen = world.await(this::look);
    if (seen instanceof Completion.Done<SimModel.Snapshot> found) {
      String older = model.copy().settle(found.value());
      checkThat(
          older == null || store.info().opening().age() != OpeningReport.Age.NEWEST,
          "older than what was acknowledged, and it does not say so: " + older);
    }
    compareAfterLies();
  }

  /**
   * As {@link #compareWhatIsLeft}, of a disk that lied: it may have lost the log's last batch, and
   * nobody can know.
   */
  public void compareAfterLies() {
    Completion<SimModel.Snapshot> seen = world.await(this::look);
    if (seen instanceof Completion.Done<SimModel.Snapshot> found) {
      // A commit whose content never reached the disk looks like the end of the log.
      model.forgive();
      String wrong = model.settle(found.value());
      checkThat(wrong == null, String.valueOf(wrong));
      lostContents();
    } else {
      checkCorrupt(seen);
    }
  }

  /**
   * Every file is right or said to be corrupt; the contents of those that are. Clones have the same
   * one.
   */
  public Set<Long> lostContents() {
    Set<Long> lost = new TreeSet<>();
    for (long id : model.live().files().keySet()) {
      Completion<byte[]> read = read(store, id);
      if (read instanceof Completion.Done<byte[]> done) {
        checkThat(
            Arrays.equals(done.value(), model.live().files().get(id).bytes()),
            () -> "wrong bytes in file " + id + ", " + model.live().files().get(id));
      } else {
        checkCorrupt(read);
        lost.add(model.live().files().get(id).content());
      }
    }
    lost.addAll(lostValues(store, model.live().tables()));
    return lost;
  }

  /**
   * Every entry is right or said to be corrupt, and so is the number of entries: how many are
   * corrupt. None is missing without a word.
   */
  public int lostEntries() {
    int lost = 0;
    for (var table : model.live().tables().entrySet()) {
      long place = table.getKey();
      lost +=
          isLost(
              "count",
              (long) table.getValue().entries().size(),
              view -> SimTables.count(view, place));
      for (Map.Entry<Long, Long> entry : table.getValue().entries().entrySet()) {
        long number = entry.getKey();
        lost +=
            isLost(
                "entry " + number, entry.getValue(), view -> SimTables.stamp(view, place, number));
      }
    }
    return lost;
  }

  private int isLost(String what, Long must, Function<View, @Nullable Long> look) {
    Completion<Optional<Long>> found =
        world.await(
            port ->
                store.query(view -> Completion.done(Optional.ofNullable(look.apply(view))), port));
    if (found instanceof Completion.Done<Optional<Long>>(Optional<Long> is)) {
      checkThat(
          is.equals(Optional.of(must)), () -> "%s of a table is %s: %s".formatted(what, must, is));
      return 0;
    }
    checkCorrupt(found);
    return 1;
  }

  /** Of large values, as {@link #lostContents}: the negative numbers of those that are lost. */
  private Set<Long> lostValues(ReadSource from, Map<Long, SimTable> tables) {
    Set<Long> lost = new TreeSet<>();
    tables.forEach(
        (place, table) ->
            table
                .entries()
                .forEach(
                    (number, stamp) -> {
                      Completion<byte[]> read =
                          SimTables.isBrought(stamp) ? readValue(from, place, number) : null;
                      if (read instanceof Completion.Done<byte[]> done) {
                        checkThat(
                            Arrays.equals(done.value(), SimTables.value(stamp)),
                            () -> "wrong bytes in entry %d of table %d".formatted(number, place));
                      } else if (read != null && !isAbsent(read)) {
                        checkCorrupt(read);
                        lost.add(-stamp);
                      }
                    }));
    return lost;
  }

  /** A value that stands in the tree, where all of it was compared, has no content. */
  private static boolean isAbsent(Completion<?> read) {
    return read instanceof Completion.Failed<?> failed
        && failed.failure() instanceof Failure.NotFound;
  }

  private @Nullable Completion<byte[]> readValue(ReadSource from, long place, long number) {
    return read(
        from,
        view -> {
          Inode inode = SimTables.content(view, place, number);
          return inode == null
              ? Completion.failed(new Failure.NotFound("a value that is content"))
              : Completion.done(inode);
        });
  }

  /** Walks everything: nothing lies twice, nothing is lost. */
  public void verify() {
    Completion<VerifyReport> verified =
        world.await(
            port ->
                store.verify(new VerifyOptions(/* readContent= */ true), (at, of) -> true, port));
    if (!(verified instanceof Completion.Done<VerifyReport> done)) {
      throw new AssertionError("verification: " + verified);
    }
    checkThat(done.value().isSound(), () -> "unsound: " + done.value());
    checkThat(done.value().space().differenceBytes() == 0, () -> "its sums: " + done.value());
    Long sizes = world.get(port -> store.query(view -> Completion.done(sizes(view)), port));
    Long entries = world.get(port -> store.query(view -> Completion.done(entries(view)), port));
    if (store.info().scn() == done.value().scn()) {
      checkThat(
          entries == done.value().tables().entries(),
          () -> entries + " entries: " + done.value().tables());
      checkThat(
          sizes == done.value().space().logicalBytes(), () -> sizes + " bytes: " + done.value());
    }
  }

  /** Those of all tables together. */
  private static Long entries(View view) {
    return SimTables.look(view).values().stream().mapToLong(table -> table.entries().size()).sum();
  }

  /** Those of all files together. */
  private static Long sizes(View view) {
    long sizes = 0;
    View.Scan files = view.from(StoreTree.INODES, new byte[0]);
    while (files.next()) {
      Inode inode = InodeCodec.decode(TreeKeys.id(files.key()), files.value());
      sizes += inode.kind() == Kind.FILE ? inode.size() : 0;
    }
    return sizes;
  }

  /** What the store holds, contents apart. */
  private void look(CompletionPort<SimModel.Snapshot> port) {
    store.query(view -> Completion.done(look(view)), port);
  }

  /** What a view shows, contents apart. */
  public static SimModel.Snapshot look(View view) {
    SimModel.Snapshot snapshot = new SimModel.Snapshot();
    View.Scan files = view.from(StoreTree.INODES, new byte[0]);
    Set<Long> tables = new TreeSet<>();
    Set<Long> values = new TreeSet<>();
    while (files.next()) {
      Inode inode = InodeCodec.decode(TreeKeys.id(files.key()), files.value());
      if (inode.kind() == Kind.TABLE) {
        tables.add(inode.id());
        continue;
      }
      if (SimTables.isValue(inode)) {
        // Those of a table that was deleted go in pieces.
        if (view.inode(inode.parent()) != null) {
          values.add(SimTables.stampOf(inode));
        }
        continue;
      }
      snapshot
          .files()
          .put(inode.id(), new SimModel.FileState(inode.version(), 0, (int) inode.size()));
    }
    tables.addAll(snapshot.files().keySet());
    checkThat(
        tables.equals(SimFileNames.all(view)),
        () -> "files and tables " + tables + " have names " + SimFileNames.all(view));
    View.Scan properties = view.from(StoreTree.PROPERTIES, new byte[0]);
    while (properties.next()) {
      snapshot.properties().put(TreeKeys.id(properties.key()), TreeKeys.id(properties.value()));
    }
    Set<Long> named = new TreeSet<>();
    snapshot.tables().putAll(SimTables.look(view, named));
    checkThat(values.equals(named), () -> "contents of values " + values + " for " + named);
    return snapshot;
  }

  private @Nullable Completion<byte[]> read(ReadSource from, long id) {
    return read(
        from,
        view -> {
          Inode inode = view.inode(id);
          return inode == null
              ? Completion.failed(new Failure.NotFound("file " + id))
              : Completion.done(inode);
        });
  }

  private @Nullable Completion<byte[]> read(ReadSource from, Query<Inode> which) {
    Completion<PinnedContent> pinned =
        world.await(port -> from.pin(which, StoreFixture.OWNER, port));
    if (!(pinned instanceof Completion.Done<PinnedContent> done)) {
      return pinned == null ? null : ((Completion.Failed<PinnedContent>) pinned).cast();
    }
    try (PinnedContent content = done.value()) {
      return StoreFixture.readAll(world, content);
    }
  }
}
