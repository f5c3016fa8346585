package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.fileman.background.BrokenExpiry;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests on the real store over the simulator, each compared with {@link ModelFiles}, with
 * reopening and crashes in between. A failure names its seed.
 */
class ModelTest {
  private static final int CANARY_SEEDS = 1000;
  private static final int LIVES = Integer.getInteger("upcall.model.lives", 10);

  private FilesFixture fixture;
  private final List<FileVersion> seen = new ArrayList<>();
  private final List<Long> opened = new ArrayList<>();
  private ModelFiles model = new ModelFiles();
  private SplittableRandom random;
  private ModelRequests chance;
  private long seed;
  private int step;
  private @Nullable FileSnapshot snapshot;
  private @Nullable FileReads looking;
  private ModelFiles then = new ModelFiles();
  private UnaryOperator<Store> canary = UnaryOperator.identity();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void behavesAsTheModel(long fromSeed) {
    run(fromSeed, 250);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {1001, 2002, 3003, 4004, 5005, 6006, 7007, 8008, 9009, 10010})
  void behavesAsTheModelForLong(long fromSeed) {
    for (int i = 0; i < LIVES; i++) {
      model = new ModelFiles();
      run(fromSeed + i, 600);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenStoreIsNoticed(BrokenExpiry.Fault fault) {
    canary = store -> BrokenExpiry.store(store, fault);
    for (long fromSeed = 1; fromSeed <= CANARY_SEEDS; fromSeed++) {
      try {
        model = new ModelFiles();
        run(fromSeed, 60);
      } catch (AssertionError noticed) {
        return;
      }
    }
    throw new AssertionError(fault + " was not noticed within " + CANARY_SEEDS + " seeds");
  }

  private void run(long fromSeed, int steps) {
    seed = fromSeed;
    random = new SplittableRandom(fromSeed);
    chance = new ModelRequests(random, new Known());
    seen.clear();
    opened.clear();
    snapshot = null;
    looking = null;
    fixture = FilesFixture.create(fromSeed, canary);
    try {
      for (step = 0; step < steps; step++) {
        oneStep();
      }
      fixture = fixture.reopen();
      compareAll();
    } catch (RuntimeException | AssertionError failed) {
      throw new AssertionError("seed " + seed + ", step " + step + ": " + failed, failed);
    }
  }

  private void oneStep() {
    model.pass(fixture.now());
    int dice = random.nextInt(100);
    if (dice < 50) {
      batch();
    } else if (dice < 60) {
      transaction();
    } else if (dice < 64) {
      setTheClock();
    } else if (dice < 70) {
      lookAtTheSnapshot();
    } else if (dice < 80) {
      writeThroughHandle(fixture.files());
    } else if (dice < 85) {
      stream();
    } else if (dice < 90) {
      compareAll();
    } else if (dice < 93) {
      fixture = fixture.reopen();
      snapshot = null;
      compareAll();
    } else if (dice < 96) {
      fixture = fixture.crash();
      snapshot = null;
      compareAll();
    } else {
      crashDuring();
    }
  }

  /**
   * Half days, so that nothing expires between two steps: all lives are whole days, and a run takes
   * minutes. Before it goes back what has expired is collected, else it would be there again.
   */
  private void setTheClock() {
    fixture.collectEverything();
    fixture.world().clock().jumpEpoch((random.nextInt(9) - 3) * ModelRequests.DAY_NANOS / 2);
    model.pass(fixture.now());
    if (random.nextBoolean()) {
      // At once: soon what has expired is collected, and nobody could see it.
      compare(fixture.files(), "", model.root);
    }
  }

  private void batch() {
    List<FileRequest> requests = chance.requests();
    long now = fixture.now();
    Completion<BatchResult> result =
        fixture.await(port -> fixture.files().batch(requests, Durability.SYNC, port));
    if (!isFull(result)) {
      boolean expected = model.batch(requests, now);
      assertEquals(expected, result instanceof Completion.Done, () -> requests + " gave " + result);
    }
  }

  /** Batches inside a transaction; then all of them have happened, or none. */
  private void transaction() {
    // The collector is somebody else: what it takes away while the transaction is open conflicts.
    fixture.collectEverything();
    FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
    ModelFiles outside = model;
    int known = seen.size();
    int openedOutside = opened.size();
    model = outside.copy();
    looking = transaction;
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        writeThroughHandle(transaction);
      } else {
        batchInside(transaction);
      }
    }
    compare(transaction, "", model.root);
    compare(fixture.files(), "", outside.root);
    looking = null;
    boolean committed = false;
    if (random.nextInt(4) == 0) {
      transaction.close();
    } else {
      Completion<Long> commit = fixture.await(port -> transaction.commit(Durability.SYNC, port));
      committed = commit instanceof Completion.Done;
      // What has expired may have been collected meanwhile.
      assertTrue(
          committed
              || isFull(commit)
              || commit instanceof Completion.Failed<Long>(Failure.Conflict _),
          () -> "commit: " + commit);
    }
    if (!committed) {
      model = outside;
      seen.subList(known, seen.size()).clear();
      opened.subList(openedOutside, opened.size()).clear();
    }
    if (random.nextInt(3) == 0) {
      fixture = fixture.crash();
      snapshot = null;
    }
    compareAll();
  }

  private void batchInside(FileTransaction transaction) {
    List<FileRequest> requests = chance.requests();
    long now = fixture.now();
    Completion<BatchResult> result = fixture.await(port -> transaction.batch(requests, port));
    if (!isFull(result) && !isTooMuch(result)) {
      boolean expected = model.batch(requests, now);
      assertEquals(
          expected, result instanceof Completion.Done, () -> requests + " in it gave " + result);
    }
  }

  /** After a crash in the middle of a batch all of it is there, or nothing. */
  private void crashDuring() {
    List<FileRequest> requests = chance.requests();
    List<Completion<BatchResult>> results = new ArrayList<>();
    long now = fixture.now();
    fixture.files().batch(requests, Durability.SYNC, results::add);
    int turns = random.nextInt(40);
    for (int i = 0; i < turns; i++) {
      fixture.world().dispatcher().turn(true);
    }
    fixture = fixture.crash();
    snapshot = null;
    ModelFiles after = model.copy();
    boolean valid = after.batch(requests, now);
    if (valid && !results.isEmpty() && results.getFirst() instanceof Completion.Done) {
      model = after;
    } else if (valid && !sameAs(model) && sameAs(after)) {
      model = after;
    }
    compareAll();
  }

  /** Takes one, or compares the one that there is, and closes it sometimes. */
  private void lookAtTheSnapshot() {
    FileSnapshot held = snapshot;
    if (held == null) {
      then = model.copy();
      snapshot = fixture.get(fixture.files()::snapshot);
      return;
    }
    compare(held, "", then.root);
    for (Map.Entry<String, byte[]> property : then.properties.entrySet()) {
      Optional<byte[]> value = fixture.get(port -> held.property(property.getKey(), port));
      assertArrayEquals(property.getValue(), value.orElseThrow());
    }
    if (random.nextBoolean()) {
      held.close();
      snapshot = null;
    }
  }

  private void writeThroughHandle(FileChanges files) {
    StorePath path = chance.path();
    Completion<FileHandle> opened =
        fixture.await(port -> files.open(path, OpenMode.EXISTING, port));
    ModelFiles.Node node = model.find(path);
    boolean expected = node != null && node.kind == Kind.FILE;
    assertEquals(expected, opened instanceof Completion.Done, () -> "open " + path + ": " + opened);
    if (!(opened instanceof Completion.Done<FileHandle>(FileHandle handle))) {
      return;
    }
    byte[] content = node.content;
    for (int i = random.nextInt(4); i > 0; i--) {
      byte[] bytes = chance.bytes(1 + random.nextInt(9000));
      long at = random.nextInt(content.length + 3000);
      Completion<Unit> done;
      switch (random.nextInt(3)) {
        case 0 -> {
          done = fixture.await(port -> handle.write(at, ByteBuffer.wrap(bytes), port));
          content = patched(content, (int) at, bytes);
        }
        case 1 -> {
          done = fixture.await(port -> handle.append(ByteBuffer.wrap(bytes), port));
          content = patched(content, content.length, bytes);
        }
        default -> {
          done = fixture.await(port -> handle.truncate(at, port));
          content = Arrays.copyOf(content, (int) at);
        }
      }
      if (!(done instanceof Completion.Done)) {
        assertEquals(true, isFull(done), done::toString);
        handle.abandon();
        return;
      }
    }
    if (random.nextInt(5) == 0) {
      handle.abandon();
      return;
    }
    Completion<Unit> closed = fixture.await(handle::close);
    if (isFull(closed) || isTooMuch(closed)) {
      handle.abandon();
    } else {
      assertEquals(true, closed instanceof Completion.Done, closed::toString);
      node.content = content;
      node.changes++;
    }
  }

  private void stream() {
    List<StorePath> tables = model.tables();
    boolean ofTable = !tables.isEmpty() && random.nextInt(3) == 0;
    StorePath path =
        ofTable ? tables.get(random.nextInt(tables.size())).entry(chance.key()) : chance.path();
    PutOptions drawn = ofTable ? chance.ofEntry() : chance.options(path);
    // A while would begin with the commit, of which nobody knows beforehand when it will be.
    PutOptions options =
        drawn.metadata().expiry().orElse(null) instanceof Expiry.After(long nanos)
            ? drawn.withExpiry(new Expiry.At(fixture.now() + nanos))
            : drawn;
    byte[] content = chance.content();
    boolean commits = random.nextInt(4) > 0;
    Completion<PutHandle> begun = fixture.await(port -> fixture.files().put(path, options, port));
    ModelFiles after = model.copy();
    FileRequest put = new FileRequest.Put(path, new FileContent.Bytes(content), options);
    boolean expected = after.batch(List.of(put), fixture.now());
    assertEquals(expected, begun instanceof Completion.Done, () -> "put " + path + ": " + begun);
    if (!(begun instanceof Completion.Done<PutHandle>(PutHandle handle))) {
      return;
    }
    for (int at = 0; at < content.length; at += 50_000) {
      ByteBuffer piece = ByteBuffer.wrap(content, at, Math.min(50_000, content.length - at));
      Completion<Unit> done = fixture.await(port -> handle.append(piece, port));
      if (!(done instanceof Completion.Done)) {
        assertEquals(true, isFull(done), done::toString);
        handle.abandon();
        return;
      }
    }
    if (!commits) {
      handle.abandon();
      return;
    }
    Completion<FileInfo> committed = fixture.await(handle::commit);
    if (!isFull(committed)) {
      assertEquals(true, committed instanceof Completion.Done, committed::toString);
      model = after;
    }
  }

  // ------------------------------------------------------------------ comparison

  private void compareAll() {
    fixture.reclaimEverything();
    fixture.collectEverything();
    assertEquals("", fixture.files().fileManagerInfo().reclaimFailure());
    assertEquals("", fixture.files().fileManagerInfo().expiryFailure());
    int nodes = compare(fixture.files(), "", model.root);
    assertEquals(nodes - 1, fixture.names(), "names");
    fixture.world().runUntil(() -> fixture.orphans() == 0);
    int contents = model.tables().stream().mapToInt(this::largeValues).sum();
    assertEquals(nodes + contents, fixture.inodes(), "inodes");
    int entries = model.tables().stream().mapToInt(this::entriesAndCount).sum();
    assertEquals(entries, fixture.count(StoreTree.ENTRIES), "entries of tables");
    for (Map.Entry<String, byte[]> property : model.properties.entrySet()) {
      Optional<byte[]> value =
          fixture.get(port -> fixture.files().property(property.getKey(), port));
      assertArrayEquals(property.getValue(), value.orElseThrow());
    }
  }

  private int entriesAndCount(StorePath table) {
    return model.find(table).values.size() + 1;
  }

  private int largeValues(StorePath table) {
    return (int)
        model.find(table).values.values().stream()
            .filter(value -> value.length > TableRequest.MAX_VALUE_BYTES)
            .count();
  }

  private boolean sameAs(ModelFiles other) {
    ModelFiles mine = model;
    model = other;
    try {
      compareAll();
      return true;
    } catch (AssertionError different) {
      return false;
    } finally {
      model = mine;
    }
  }

  private int compare(FileReads reads, String directory, ModelFiles.Node expected) {
    int nodes = 1;
    String listed = directory.isEmpty() ? "/" : directory;
    int page = 1 + random.nextInt(6);
    List<FileInfo> entries = fixture.list(reads, listed, page);
    List<String> names = List.copyOf(expected.entries.keySet());
    assertEquals(names, entries.stream().map(FileInfo::name).toList());
    assertEquals(names, fixture.names(reads, listed, Listing.Direction.ASCENDING, page));
    assertEquals(
        names.reversed(), fixture.names(reads, listed, Listing.Direction.DESCENDING, page));
    for (FileInfo info : entries) {
      String path = directory + "/" + info.name();
      ModelFiles.Node node = expected.entries.get(info.name());
      assertEquals(node.kind, info.kind(), path);
      assertEquals(node.mode, info.mode(), path);
      assertEquals(1, info.links(), path);
      assertEquals(node.expiresNanos, info.times().expiresNanos(), path);
      switch (node.kind) {
        case FILE -> {
          assertEquals(node.content.length, info.sizeBytes(), path);
          assertArrayEquals(node.content, fixture.read(reads, path), path);
          nodes++;
        }
        case DIRECTORY -> nodes += compare(reads, path, node);
        case TABLE -> {
          compareTable(reads, StorePath.of(path), node.values);
          nodes++;
        }
        case SYMBOLIC_LINK -> {
          StorePath link = StorePath.of(path);
          assertEquals(node.target, fixture.<String>get(port -> reads.readLink(link, port)));
          nodes++;
        }
      }
    }
    return nodes;
  }

  private void compareTable(FileReads reads, StorePath path, TreeMap<byte[], byte[]> expected) {
    long count = fixture.<Long>get(port -> reads.ask(new Look.EntryCount(path), port));
    assertEquals(expected.size(), count, () -> "entries of " + path);
    byte[] key = chance.key();
    assertArrayEquals(expected.get(key), value(reads, path, key));
    KeyRange range = random.nextBoolean() ? KeyRange.ALL : chance.range();
    boolean ascends = random.nextBoolean();
    Listing.Direction direction =
        ascends ? Listing.Direction.ASCENDING : Listing.Direction.DESCENDING;
    Optional<Look.Entries> next =
        Optional.of(new Look.Entries(path, range, direction, 1 + random.nextInt(20)));
    List<Map.Entry<byte[], byte[]>> wanted =
        new ArrayList<>(ModelFiles.in(expected, range).entrySet());
    Iterator<Map.Entry<byte[], byte[]>> left = (ascends ? wanted : wanted.reversed()).iterator();
    while (next.isPresent()) {
      Look.Entries look = next.get();
      TablePage page = fixture.get(port -> reads.ask(look, port));
      for (TablePage.Entry entry : page.entries()) {
        assertTrue(left.hasNext(), () -> "an entry too many in " + path);
        Map.Entry<byte[], byte[]> own = left.next();
        assertArrayEquals(own.getKey(), entry.key());
        assertEquals(own.getValue().length, entry.valueBytes());
        byte[] value =
            entry.isContent() ? fixture.read(reads, path.entry(entry.key())) : entry.value();
        assertArrayEquals(own.getValue(), value);
      }
      assertEquals(left.hasNext(), page.hasMore());
      next = look.next(page);
    }
    assertEquals(false, left.hasNext(), () -> "an entry of " + path + " is missing");
  }

  private byte @Nullable [] value(FileReads reads, StorePath table, byte[] key) {
    Completion<Optional<byte[]>> value =
        fixture.await(port -> reads.ask(new Look.Entry(table, key), port));
    return switch (value) {
      case Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes) -> bytes.orElse(null);
      case Completion.Failed<Optional<byte[]>> failed -> {
        assertInstanceOf(Failure.TooLarge.class, failed.failure());
        yield fixture.read(reads, table.entry(key));
      }
    };
  }

  /** What requests are made from: the store as it is, and what was seen of it. */
  private final class Known implements ModelRequests.Known {
    @Override
    public long now() {
      return fixture.now();
    }

    /** Remembered with the model's. */
    @Override
    public @Nullable FileVersion present(StorePath path, LinkPolicy links) {
      ModelFiles.Node node = model.look(path, links);
      if (node == null) {
        return null;
      }
      FileInfo info = fixture.get(port -> looking().stat(path, links, port));
      FileVersion version = info.fileVersion();
      model.states.put(version, new ModelFiles.State(node.serial, node.changes));
      seen.add(version);
      return version;
    }

    @Override
    public int sizeBytes(StorePath path) {
      ModelFiles.Node node = model.look(path, LinkPolicy.NO_FOLLOW);
      return node == null ? 0 : node.content.length;
    }

    @Override
    public List<Long> opened() {
      return opened;
    }

    /** Remembered with the model's. */
    @Override
    public void open(StorePath path) {
      ModelFiles.Node node = model.look(path, LinkPolicy.FOLLOW);
      if (node != null && node.kind == Kind.DIRECTORY && node != model.root) {
        FileInfo info = fixture.get(port -> looking().stat(path, LinkPolicy.FOLLOW, port));
        model.directories.put(info.id(), node.serial);
        opened.add(info.id());
      }
    }

    @Override
    public List<StorePath> tables() {
      return model.tables();
    }

    @Override
    public byte @Nullable [] value(StorePath table, byte[] key) {
      ModelFiles.Node node = model.look(table, LinkPolicy.FOLLOW);
      return node == null ? null : node.values.get(key);
    }

    @Override
    public List<FileVersion> seen() {
      return seen;
    }
  }

  private FileReads looking() {
    FileReads inside = looking;
    return inside == null ? fixture.files() : inside;
  }

  private static byte[] patched(byte[] content, int at, byte[] bytes) {
    byte[] result = Arrays.copyOf(content, Math.max(content.length, at + bytes.length));
    System.arraycopy(bytes, 0, result, at, bytes.length);
    return result;
  }

  private static boolean isTooMuch(Completion<?> completion) {
    return completion instanceof Completion.Failed<?>(Failure failure)
        && (failure instanceof Failure.TooLarge || failure instanceof Failure.Busy);
  }

  private static boolean isFull(Completion<?> completion) {
    return completion instanceof Completion.Failed<?>(Failure failure)
        && failure instanceof Failure.VolumeFull;
  }
}
