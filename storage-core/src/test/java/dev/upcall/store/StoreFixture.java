package dev.upcall.store;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BufferConfig;
import dev.upcall.coding.TwinCodec;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.config.PlaceConfig;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.ContentStager;
import dev.upcall.content.EditPolicy;
import dev.upcall.content.Kind;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.content.Times;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.segment.DedupConfig;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.StagerConfig;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TrimConfig;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.volume.VolumeLayout;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store on a simulated machine, with small helpers that turn until the answer is there. A crash
 * gives null answers.
 */
public final class StoreFixture {
  /** The holder of all leases of tests. */
  public static final LeaseOwner OWNER = new LeaseOwner("test", 1);

  /** How many snapshots there may be. */
  static final SnapshotConfig SNAPSHOTS =
      new SnapshotConfig(/* maxNamed= */ 5, SnapshotConfig.DEFAULT.maxOpen());

  /** In a seed: the bytes come in pairs of the same. */
  public static final long TWINS = 1L << 62;

  private final SimWorld world;
  private final Store store;

  private StoreFixture(SimWorld world, Store store) {
    this.world = world;
    this.store = store;
  }

  /** Tiny geometry: rare paths are common. */
  public static VolumeLayout tinyLayout() {
    return new VolumeLayout(64, 64, 4096);
  }

  /** Limits to match. */
  public static StoreOptions tinyOptions(long seed) {
    return new StoreOptions(
        new StoreConfig(
            BufferConfig.ofBudget(4L << 20).tracingOrigins(),
            1 << 16,
            new StagerConfig(
                64, 65536, 16, 2, new DedupConfig(4096, 128, 20, Dedup.NONE), Compression.NONE),
            LogConfig.DEFAULT,
            LossBound.DEFAULT,
            1024,
            64,
            StoreConfig.DEFAULT_RELEASE_EXTENTS,
            TrimConfig.DEFAULT,
            SNAPSHOTS,
            TransactionConfig.DEFAULT,
            PlaceConfig.DEFAULT),
        /* capBlocks= */ 0,
        /* treeFanOut= */ 4,
        new SplittableRandom(seed));
  }

  /** As {@link #tinyOptions}, of a store that is quick to give space back. */
  public static StoreOptions givingBack(long seed) {
    StoreOptions usual = tinyOptions(seed);
    StoreConfig config = usual.config();
    return new StoreOptions(
        new StoreConfig(
            config.buffers(),
            config.pageCacheBytes(),
            config.stager(),
            config.log(),
            config.loss(),
            config.maxRequests(),
            /* growthBlocks= */ 16,
            /* releaseExtents= */ 2,
            new TrimConfig(4, 64, 16, 1_000_000, 100_000_000, 100_000, 64),
            config.snapshots(),
            TransactionConfig.DEFAULT,
            PlaceConfig.DEFAULT),
        usual.capBlocks(),
        usual.treeFanOut(),
        usual.random());
  }

  /** Formats the world's disk. */
  public static void format(SimWorld world) {
    format(world, tinyLayout());
  }

  /** Formats the world's disk with another layout. */
  public static void format(SimWorld world, VolumeLayout layout) {
    world.<Unit>get(
        port ->
            Stores.format(
                world.dispatcher(),
                world.disk(),
                new Stores.Format(
                    world.seed() | 1, layout, layout.dataStart() + 64, layout.maxBlocks()),
                port));
  }

  /** Opens the store on the world's disk; closing it is a crash test, too. */
  public static StoreFixture open(SimWorld world) {
    world.whenDiskCloses(survivor -> recovered(survivor).end());
    return recovered(world);
  }

  /** Opens the store on the disk of a machine that has died. */
  public static StoreFixture recovered(SimWorld world) {
    return new StoreFixture(
        world,
        world.get(
            port ->
                Stores.open(world.dispatcher(), world.disk(), tinyOptions(world.seed()), port)));
  }

  /** A store that somebody has opened, with the helpers. */
  public static StoreFixture of(SimWorld world, Store store) {
    return new StoreFixture(world, store);
  }

  /** Opens the store on the world's disk; null if that is refused, or after a crash. */
  public static @Nullable StoreFixture tryOpen(SimWorld world) {
    return tryOpen(world, tinyOptions(world.seed()));
  }

  /** As {@link #tryOpen(SimWorld)}, with other limits. */
  public static @Nullable StoreFixture tryOpen(SimWorld world, StoreOptions options) {
    return tryOpen(world, options, Faults.NONE);
  }

  /** As above, of a store that may be broken on purpose. */
  static @Nullable public StoreFixture tryOpen(
      SimWorld world, StoreOptions options, Faults faults) {
    world.whenDiskCloses(survivor -> recovered(survivor).end());
    Completion<Store> opened =
        world.await(port -> Stores.open(world.dispatcher(), world.disk(), options, faults, port));
    return opened instanceof Completion.Done<Store> done
        ? new StoreFixture(world, done.value())
        : null;
  }

  /** The machine. */
  public SimWorld world() {
    return world;
  }

  /** The store. */
  public Store store() {
    return store;
  }

  /** Stages content; null after a crash. */
  public @Nullable StagedContent stage(byte[] bytes) {
    return stage(bytes, Compression.NONE);
  }

  private @Nullable StagedContent stage(byte[] bytes, Compression compression) {
    ContentStager stager = store.stage(OWNER, compression);
    int at = 0;
    while (at < bytes.length) {
      int length = Math.min(bytes.length - at, 30_000);
      ByteBuffer part = ByteBuffer.wrap(bytes, at, length);
      Completion<Unit> appended = world.await(port -> stager.append(part, port));
      if (!(appended instanceof Completion.Done<Unit>)) {
        stager.discard();
        return null;
      }
      at += length;
    }
    Completion<StagedContent> staged = world.await(stager::finish);
    return staged instanceof Completion.Done<StagedContent> done ? done.value() : null;
  }

  /** Creates or replaces a file by id; null after a crash. */
  public @Nullable Completion<Unit> put(long id, byte[] bytes) {
    return put(id, bytes, Compression.NONE);
  }

  /** As {@link #put(long, byte[])}, of content that is stored as small as it can be, or not. */
  public @Nullable Completion<Unit> put(long id, byte[] bytes, Compression compression) {
    StagedContent staged = stage(bytes, compression);
    if (staged == null) {
      return null;
    }
    Completion<Unit> completion = world.await(port -> put(id, staged, port));
    staged.discard();
    return completion;
  }

  /** Starts the change that makes staged content a file's. */
  public void put(long id, StagedContent staged, CompletionPort<Unit> port) {
    store.change(
        (view, out) -> {
          Inode old = view.inode(id);
          out.putInode(old == null ? file(id) : old.touched(1), staged);
          return Completion.done();
        },
        Durability.SYNC,
        port);
  }

  /** Removes a file by id; null after a crash. */
  public @Nullable Completion<Unit> remove(long id) {
    return world.await(
        port ->
            store.<Unit>change(
                (view, out) -> {
                  Inode inode = view.inode(id);
                  if (inode != null) {
                    out.removeSegment(inode);
                  }
                  return Completion.done();
                },
                Durability.SYNC,
                port));
  }

  /** Pins the content of a file by id; a failure if there is none, null after a crash. */
  public @Nullable Completion<PinnedContent> pin(long id) {
    return world.await(port -> store.pin(segment(id), OWNER, port));
  }

  /** As {@link #pin}, at once, or null. */
  @Nullable Completion<PinnedContent> tryPin(long id) {
    return store.tryPin(segment(id), OWNER);
  }

  private static Query<Inode> segment(long id) {
    return view -> {
      Inode inode = view.inode(id);
      return inode == null
          ? Completion.failed(new dev.upcall.completion.Failure.NotFound("segment " + id))
          : Completion.done(inode);
    };
  }

  /** The content of a file by id; null if there is none or after a crash. */
  public byte @Nullable [] read(long id) {
    Completion<PinnedContent> pinned = pin(id);
    if (!(pinned instanceof Completion.Done<PinnedContent> done)) {
      return null;
    }
    try (PinnedContent content = done.value()) {
      return read(world, content);
    }
  }

  /** All bytes of pinned content; null after a crash. */
  public static byte @Nullable [] read(SimWorld world, PinnedContent content) {
    Completion<byte[]> read = readAll(world, content);
    if (read instanceof Completion.Failed<byte[]> failed) {
      throw new AssertionError(failed.failure().message());
    }
    return read instanceof Completion.Done<byte[]> done ? done.value() : null;
  }

  /** All bytes of pinned content, or why not; null after a crash. */
  static @Nullable public Completion<byte[]> readAll(SimWorld world, PinnedContent content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long offset = 0;
    while (true) {
      long at = offset;
      Completion<ContentSlice> read =
          world.await(
              port -> content.read(at, 1 << 20, dev.upcall.io.IoClass.FOREGROUND_READ, port));
      if (!(read instanceof Completion.Done<ContentSlice> done)) {
        return read == null ? null : ((Completion.Failed<ContentSlice>) read).cast();
      }
      ContentSlice slice = done.value();
      if (slice.sizeBytes() == 0) {
        slice.release();
        return Completion.done(bytes.toByteArray());
      }
      for (ByteBuffer buffer : slice.buffers()) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(buffer.position(), copy);
        bytes.writeBytes(copy);
      }
      offset += slice.sizeBytes();
      slice.release();
    }
  }

  /** A new empty file's inode. */
  public static Inode file(long id) {
    return file(id, /* version= */ 1);
  }

  /** A new empty file's inode with a version to begin with. */
  public static Inode file(long id, long version) {
    return new Inode(
        id,
        Kind.FILE,
        1,
        0644,
        0,
        0,
        new Times(1, 1, 1),
        0,
        version,
        Collections.emptySortedMap(),
        Layout.EMPTY);
  }

  /** A file's inode with a policy for edits, and no other attributes. */
  public static Inode edited(Inode inode, EditPolicy policy) {
    return inode.withMetadata(
        inode.mode(),
        inode.owner(),
        policy.equals(EditPolicy.NONE)
            ? Collections.emptySortedMap()
            : new TreeMap<>(Map.of(EditPolicy.ATTRIBUTE, policy.value())));
  }

  /** What the store knows of a named snapshot, which there must be. */
  public SnapshotRecord snapshotRecord(String name) {
    byte[] key = SnapshotNames.key(name);
    byte[] value =
        world.get(
            port ->
                store.query(
                    view ->
                        Completion.done(
                            Invariants.present(view.get(StoreTree.SNAPSHOTS, key), name)),
                    port));
    return SnapshotRecord.decode(value);
  }

  /** Walks everything, content included: nothing lies twice, nothing is lost. */
  public void verify() {
    VerifyReport report =
        world.get(
            port ->
                store.verify(new VerifyOptions(/* readContent= */ true), (at, of) -> true, port));
    if (!report.isSound() || report.space().differenceBytes() != 0) {
      throw new AssertionError("unsound: " + report + "; seed " + world.seed());
    }
  }

  /** The end of a crash test: all is sound, and the store can be closed. */
  public void end() {
    verify();
    world.<Unit>get(store::close);
  }

  /** Closes; the disk is closed with it. */
  public @Nullable Completion<Unit> close() {
    return world.await(store::close);
  }

  /** Bytes that depend on a seed only; of one with {@link #TWINS}, such as can be coded. */
  public static byte[] bytes(long seed, int length) {
    if ((seed & TWINS) != 0) {
      return TwinCodec.bytes(seed, length);
    }
    SplittableRandom random = new SplittableRandom(seed);
    // Words, all copied at once: the simulator makes gigabytes of these.
    long[] words = new long[length / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = random.nextLong();
    }
    byte[] bytes = new byte[length];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(words);
    long rest = random.nextLong();
    for (int at = words.length * Long.BYTES; at < length; at++, rest >>>= Byte.SIZE) {
      bytes[at] = (byte) rest;
    }
    return bytes;
  }

  static {
    if (Disk.BLOCK_BYTES != 4096) {
      throw new AssertionError("tests assume blocks of 4 KiB");
    }
  }
}
