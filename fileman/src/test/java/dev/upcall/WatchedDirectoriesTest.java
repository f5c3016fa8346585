package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.fileman.plan.Names;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.nio.watch.EntrySink;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.store.Durability;
import dev.upcall.txn.Query;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random requests on the real store over the simulator. Whoever watches a directory knows after
 * each of them, from what he was told, what is in it and what may have changed. A failure names its
 * seed.
 */
class WatchedDirectoriesTest {
  private static final int STEPS = 150;
  private static final long DAY_NANOS = 24 * 3_600_000_000_000L;
  private static final Parents PARENTS = Parents.MAKE;
  private static final int LEAST_TOLD = 20;
  private static final int ALL_HOMES = 1 << 20;

  private FilesFixture fixture;
  private SplittableRandom random;
  private WatchedDirectories watched;
  private final Map<Long, Mirror> mirrors = new LinkedHashMap<>();

  /** How many tellings are kept from mirrors: each so-manieth. */
  private int loses;

  private int told;
  private int watches;

  /** An entry as it is: what it leads to, and in which version. */
  private record Entry(long id, Kind kind, long version) {}

  /** What somebody knows who looked once and was told of changes since. */
  private final class Mirror implements EntrySink {
    private final Map<String, Entry> known = new TreeMap<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> maybeChanged = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private boolean overflowed;
    private boolean gone;
    private long lastScn;

    /** Not thrown in the store's upcall: it is none of its business. */
    private void expect(boolean isSo, String problem) {
      if (!isSo) {
        problems.add(problem);
      }
    }

    /** What is told comes in the order of commits, within the commit that has done it. */
    private void expectNext(long scn) {
      expect(scn >= lastScn, "told of commit " + scn + " behind " + lastScn);
      long now = fixture.files().store().info().scn();
      expect(scn == now, "told of commit " + scn + " in commit " + now);
      lastScn = scn;
    }

    private boolean isLost() {
      told++;
      return loses > 0 && told % loses == 0;
    }

    @Override
    public void created(String name, long scn) {
      expectNext(scn);
      if (!isLost()) {
        names.add(name);
        maybeChanged.add(name);
      }
    }

    @Override
    public void modified(String name, long scn) {
      expectNext(scn);
      expect(names.contains(name), name + " is modified and not there");
      if (!isLost()) {
        maybeChanged.add(name);
      }
    }

    @Override
    public void deleted(String name, long scn) {
      expectNext(scn);
      if (!isLost()) {
        expect(names.remove(name), name + " is gone and was not there");
        maybeChanged.remove(name);
      }
    }

    @Override
    public void overflowed(long scn) {
      expectNext(scn);
      told++;
      overflowed = true;
    }

    @Override
    public void gone() {
      gone = true;
    }

    /** Looks now. */
    void look(Map<String, Entry> entries) {
      known.clear();
      known.putAll(entries);
      names.clear();
      names.addAll(entries.keySet());
      maybeChanged.clear();
      overflowed = false;
    }

    void check(Map<String, Entry> entries) {
      assertEquals(List.of(), problems);
      assertEquals(entries.keySet(), Set.copyOf(names));
      entries.forEach(
          (name, entry) -> {
            boolean same =
                entry.equals(known.get(name))
                    // Entries came or went in it: that is told to those who watch it itself.
                    || entry.kind() == Kind.DIRECTORY
                        && known.get(name) instanceof Entry before
                        && before.id() == entry.id();
            assertTrue(
                same || overflowed || maybeChanged.contains(name), () -> name + " has changed");
          });
      look(entries);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whoWatchesKnowsWhatIsThere(long seed) {
    run(seed, ALL_HOMES);
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void whereThereIsNoRoomForAllHomesItIsToldThatSomethingChanged(long seed) {
    run(seed, 2);
  }

  @ParameterizedTest
  @CsvSource({"21, 10", "22, 30"})
  void aLostTellingIsNoticed(long seed, int loses) {
    this.loses = loses;
    assertThrows(AssertionError.class, () -> run(seed, ALL_HOMES));
  }

  private void run(long seed, int maxHomes) {
    random = new SplittableRandom(seed);
    fixture = FilesFixture.create(seed);
    watched = new WatchedDirectories(fixture.files().store(), maxHomes);
    int step = 0;
    try {
      watch(FileManager.ROOT_ID);
      for (; step < STEPS; step++) {
        oneStep();
        checkAll();
      }
      assertTrue(told >= LEAST_TOLD, () -> "only told of " + told + " changes");
      assertTrue(watches > 2, () -> "only " + watches + " directories were watched");
    } catch (RuntimeException | AssertionError failed) {
      throw new AssertionError("seed " + seed + ", step " + step + ": " + failed, failed);
    } finally {
      fixture.close();
    }
  }

  private List<FileRequest> requests() {
    List<FileRequest> requests = new ArrayList<>();
    for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1; i > 0; i--) {
      requests.add(request());
    }
    return requests;
  }

  private FileRequest request() {
    StorePath path = path();
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> new FileRequest.CreateDirectory(directory(), PARENTS, MetadataChange.NONE);
      case 3, 4 -> new FileRequest.Delete(random.nextInt(3) == 0 ? directory() : path);
      case 5 -> new FileRequest.DeleteTree(random.nextInt(3) == 0 ? directory() : path);
      case 6 -> new FileRequest.Rename(path, path(), Existence.ANY);
      case 7 -> new FileRequest.Rename(directory(), directory(), Existence.ANY);
      case 8 -> new FileRequest.Clone(path, path(), FileCondition.NONE);
      case 9 -> new FileRequest.SymbolicLink(path, "elsewhere", MetadataChange.NONE);
      case 10 ->
          new FileRequest.SetMetadata(
              random.nextBoolean() ? directory() : path,
              LinkPolicy.NO_FOLLOW,
              MetadataChange.NONE.withMode(random.nextInt(512)),
              FileCondition.NONE);
      default -> {
        PutOptions options =
            new PutOptions(FileCondition.NONE, PARENTS, LinkPolicy.NO_FOLLOW, MetadataChange.NONE);
        yield new FileRequest.Put(
            path,
            new FileContent.Bytes(bytes()),
            random.nextInt(4) == 0
                ? options.withExpiry(new Expiry.At(fixture.now() + DAY_NANOS / 2))
                : options);
      }
    };
  }

  private StorePath directory() {
    String first = "/" + (char) ('x' + random.nextInt(2));
    return StorePath.of(random.nextBoolean() ? first : first + "/z");
  }

  /** Of a file or link, mostly in a directory that is there. */
  private StorePath path() {
    StorePath in = random.nextInt(3) == 0 ? StorePath.ROOT : directory();
    return in.child(String.valueOf((char) ('a' + random.nextInt(5))));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[1 + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 100)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void oneStep() {
    int dice = random.nextInt(20);
    if (dice < 12) {
      List<FileRequest> requests = requests();
      fixture.<BatchResult>await(port -> fixture.files().batch(requests, Durability.SYNC, port));
    } else if (dice < 14) {
      transaction();
    } else if (dice < 16) {
      write();
    } else if (dice < 17) {
      fixture.world().clock().jumpEpoch(DAY_NANOS);
      fixture.collectEverything();
    } else if (dice < 18) {
      fixture.<Unit>get(fixture.files().store()::checkpoint); // content moves, and nobody sees it
    } else {
      fixture.list("/", 100).stream()
          .filter(FileInfo::isDirectory)
          .forEach(directory -> watchOrNot(directory.id()));
    }
  }

  private void transaction() {
    fixture.collectEverything();
    FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
    for (int i = random.nextInt(5); i >= 0; i--) {
      List<FileRequest> requests = requests();
      fixture.<BatchResult>await(port -> transaction.batch(requests, port));
    }
    if (random.nextInt(4) == 0) {
      transaction.close();
    } else {
      fixture.<Long>await(port -> transaction.commit(Durability.ASYNC, port));
    }
  }

  private void write() {
    StorePath path = path();
    Completion<FileHandle> opened =
        fixture.await(port -> fixture.files().open(path, OpenMode.CREATE, port));
    if (opened instanceof Completion.Done<FileHandle>(FileHandle handle)) {
      byte[] bytes = bytes();
      fixture.<Unit>await(port -> handle.append(ByteBuffer.wrap(bytes), port));
      Completion<Unit> closed = fixture.await(handle::close);
      if (!(closed instanceof Completion.Done)) {
        handle.abandon();
      }
    }
  }

  private void watchOrNot(long directory) {
    Mirror mirror = mirrors.get(directory);
    if (mirror == null) {
      watch(directory);
    } else if (random.nextInt(3) == 0) {
      watched.forget(directory, mirror);
      mirrors.remove(directory);
    }
  }

  private void watch(long directory) {
    Mirror mirror = new Mirror();
    Completion<Unit> done = fixture.await(port -> watched.watch(directory, true, mirror, port));
    assertTrue(done instanceof Completion.Done, () -> "watching: " + done);
    mirror.look(entries(directory));
    mirrors.put(directory, mirror);
    watches++;
  }

  private void checkAll() {
    Map.copyOf(mirrors)
        .forEach(
            (directory, mirror) -> {
              assertEquals(!isThere(directory), mirror.gone, "told that it is gone");
              if (mirror.gone) {
                mirrors.remove(directory);
              } else {
                mirror.check(entries(directory));
              }
            });
  }

  private boolean isThere(long directory) {
    return look(
        view -> {
          Inode inode = view.inode(directory);
          return Completion.done(inode != null && inode.links() > 0);
        });
  }

  private <T> T look(Query<T> query) {
    return fixture.get(port -> fixture.files().store().query(query, port));
  }

  /** All names, also of files that have expired and are there yet. */
  private Map<String, Entry> entries(long directory) {
    return look(
        view -> {
          Map<String, Entry> entries = new TreeMap<>();
          View.Scan scan = view.from(StoreTree.NAMES, TreeKeys.of(directory));
          while (scan.next() && Names.isEntryOf(scan.key(), directory)) {
            Names.Entry entry = Names.entry(scan.value());
            Inode inode = view.inode(entry.id());
            long version = inode == null ? 0 : inode.version();
            entries.put(
                new String(Names.nameBytesIn(scan.key()), StandardCharsets.UTF_8),
                new Entry(entry.id(), entry.kind(), version));
          }
          return Completion.done(entries);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = 31)
  void whatIsNoDirectoryIsNotWatched(long seed) {
    fixture = FilesFixture.create(seed);
    watched = new WatchedDirectories(fixture.files().store(), ALL_HOMES);
    Mirror mirror = new Mirror();
    Completion<Unit> done = fixture.await(port -> watched.watch(12_345, true, mirror, port));
    assertTrue(
        done instanceof Completion.Failed<Unit>(Failure.NotFound _), () -> "watching: " + done);
    watched.forget(12_345, mirror);
    assertFalse(mirror.gone);
    fixture.close();
  }
}
