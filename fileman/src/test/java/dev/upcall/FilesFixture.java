package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.request.FileRequest;
import dev.upcall.segment.PinnedContent;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A file manager on a simulated machine; requests turn until they are answered. */
public final class FilesFixture {
  static final LeaseOwner OWNER = new LeaseOwner("test", 2);

  /** Requests inside at once. */
  static final int MAX_REQUESTS = 1000;

  private static final FileManagerConfig CONFIG =
      new FileManagerConfig(MAX_REQUESTS, 100, 1 << 20, 4, 3, 2);

  private final SimWorld world;
  private final StoreFixture store;
  private final UnaryOperator<Store> canary;
  private final FileManager files;

  private FilesFixture(SimWorld world, StoreFixture store, UnaryOperator<Store> canary) {
    this.world = world;
    this.store = store;
    this.canary = canary;
    this.files = world.get(port -> FileManager.open(canary.apply(store.store()), CONFIG, port));
  }

  /** A new store on a new machine. */
  public static FilesFixture create(long seed) {
    return create(seed, UnaryOperator.identity());
  }

  /**
   * The same with a store that is broken.
   *
   * @param canary what the file manager gets for the store, here and after each opening
   */
  static FilesFixture create(long seed, UnaryOperator<Store> canary) {
    SimWorld world = SimWorld.ofBlocks(seed, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(world);
    return open(world, canary);
  }

  /** Opens the store and its file manager; closing them is a crash test, too. */
  private static FilesFixture open(SimWorld world, UnaryOperator<Store> canary) {
    FilesFixture fixture = new FilesFixture(world, StoreFixture.open(world), canary);
    world.whenDiskCloses(
        survivor ->
            new FilesFixture(survivor, StoreFixture.recovered(survivor), UnaryOperator.identity())
                .end());
    return fixture;
  }

  /** The end of a crash test: what was deleted can be reclaimed, and all is sound. */
  private void end() {
    reclaimEverything();
    collectEverything();
    assertEquals("", files.fileManagerInfo().reclaimFailure());
    assertEquals("", files.fileManagerInfo().expiryFailure());
    // What was collected last may have left orphans to the store, which takes them apart by itself.
    world.runUntil(() -> orphans() == 0);
    store.verify();
    world.<Unit>get(files::close);
    world.<Unit>get(store.store()::close);
  }

  /** What a verification finds, which is sound. */
  VerifyReport verified() {
    VerifyReport report =
        get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
    assertTrue(report.isSound(), report::toString);
    assertEquals(0, report.space().differenceBytes(), report::toString);
    return report;
  }

  public SimWorld world() {
    return world;
  }

  public FileManager files() {
    return files;
  }

  /** Closes everything, if the machine and its device still can. */
  void close() {
    if (!world.disk().crashed()) {
      world.await(files::close);
      world.await(store.store()::close);
    }
  }

  /** Closes everything and opens it again. */
  public FilesFixture reopen() {
    world.<Unit>get(files::close);
    world.<Unit>get(store.store()::close);
    return open(world.reopen(world.disk().crashImage(world.random().split())), canary);
  }

  /** Dies now and recovers. */
  public FilesFixture crash() {
    return open(world.crashAndReopen(), canary);
  }

  /** Null after a crash. */
  public <T> @Nullable Completion<T> await(Consumer<CompletionPort<T>> request) {
    return world.await(request);
  }

  public <T> T get(Consumer<CompletionPort<T>> request) {
    return world.get(request);
  }

  Completion<BatchResult> batch(FileRequest... requests) {
    return await(port -> files.batch(List.of(requests), Durability.SYNC, port));
  }

  FileInfo stat(String path) {
    return get(port -> files.stat(StorePath.of(path), LinkPolicy.FOLLOW, port));
  }

  byte[] read(String path) {
    return read(files, path);
  }

  /** The content of a file, now or in a snapshot. */
  byte[] read(FileReads reads, CharSequence path) {
    OpenFile file = get(port -> reads.openRead(path, OWNER, port));
    try (file) {
      return read(file);
    }
  }

  byte[] read(OpenFile file) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    PinnedContent content = file.content();
    while (true) {
      long offset = all.size();
      ContentSlice slice =
          get(port -> content.read(offset, 100_000, IoClass.FOREGROUND_READ, port));
      if (slice.sizeBytes() == 0) {
        slice.release();
        return all.toByteArray();
      }
      for (ByteBuffer buffer : slice.buffers()) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        all.writeBytes(bytes);
      }
      slice.release();
    }
  }

  /** All names of a directory, by pages of a size. */
  List<FileInfo> list(String directory, int page) {
    return list(files, directory, page);
  }

  /** As {@link #list(String, int)}, now or in a snapshot. */
  List<FileInfo> list(FileReads reads, String directory, int page) {
    List<FileInfo> all = new ArrayList<>();
    String after = "";
    do {
      String from = after;
      Listing listing = get(port -> reads.list(StorePath.of(directory), from, page, port));
      all.addAll(listing.entries());
      after = listing.nextAfter().orElse("");
    } while (!after.isEmpty());
    return all;
  }

  /** Names of a directory in one direction, without a look at what they lead to. */
  List<String> names(FileReads reads, String directory, Listing.Direction direction, int page) {
    List<String> all = new ArrayList<>();
    boolean more = true;
    while (more) {
      Listing.Range range =
          all.isEmpty()
              ? new Listing.Range(direction, page)
              : new Listing.Range(direction, page).withBeyond(all.getLast());
      Listing.Names names = get(port -> reads.names(StorePath.of(directory), range, port));
      all.addAll(names.names());
      more = names.hasMore();
    }
    return all;
  }

  /** Turns until nothing is left to reclaim. */
  void reclaimEverything() {
    world.runUntil(() -> !files.fileManagerInfo().reclaiming());
  }

  /** Turns until no file that has expired is left. */
  void collectEverything() {
    world.runUntil(
        () ->
            !files.fileManagerInfo().collecting() && files.fileManagerInfo().expiryLagNanos() == 0);
  }

  /** What time it is for users. */
  long now() {
    return world.clock().epochNanos();
  }

  /** How many entries a tree has. */
  int count(StoreTree tree) {
    return get(
        port ->
            files
                .store()
                .query(
                    view -> {
                      View.Scan scan = view.from(tree, new byte[0]);
                      int count = 0;
                      while (scan.next()) {
                        count++;
                      }
                      return Completion.done(count);
                    },
                    port));
  }

  int inodes() {
    return count(StoreTree.INODES);
  }

  int names() {
    return count(StoreTree.NAMES);
  }

  int expiries() {
    return count(StoreTree.EXPIRY);
  }

  int orphans() {
    return count(StoreTree.ORPHANS);
  }
}
