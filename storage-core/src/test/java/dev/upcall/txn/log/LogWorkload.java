package dev.upcall.txn.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.pressure.Pressure;
import dev.upcall.pressure.Relief;
import dev.upcall.pressure.Scarce;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.txn.change.RoomNeed;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import dev.upcall.txn.volume.VolumeFormatter;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A small engine over the log: clients that append records of all sizes, some with named extents,
 * and checkpoints when the log wants them. One object is one life of the store, from opening to
 * crash; the model of what was promised lives on.
 */
public final class LogWorkload {
  public static final VolumeLayout LAYOUT = new VolumeLayout(16, 64, 512);
  public static final long VOLUME_BLOCKS = 256;
  static final LogConfig CONFIG = new LogConfig(8192, 1 << 20, 2 * 4096, 5_000_000);
  private static final int CLIENTS = 4;

  /** One record as appended. */
  record Appended(byte[] bytes, List<NamedExtent> named) {}

  /** What was appended and promised, over all lives of a volume. */
  static final class Model {
    final TreeMap<Long, Appended> records = new TreeMap<>();
    long lastScn;
    long promisedScn;
    long checkpointScn;
    long checkpointSequence = 1;
    long triedSequence = 1;
    long dataCursor = LAYOUT.dataStart();

    Model copy() {
      Model copy = new Model();
      copy.records.putAll(records);
      copy.lastScn = lastScn;
      copy.promisedScn = promisedScn;
      copy.checkpointScn = checkpointScn;
      copy.checkpointSequence = checkpointSequence;
      copy.triedSequence = triedSequence;
      copy.dataCursor = dataCursor;
      return copy;
    }
  }

  final SimWorld world;
  final Model model;
  final LogWriter writer;
  final List<Failure> logFailures = new ArrayList<>();
  private final SplittableRandom random;
  private final Superblocks superblocks;
  private final Pressure pressure;
  private Superblock superblock;
  private int left;
  private int busy;
  private boolean checkpointing;
  int failedAppends;

  LogWorkload(SimWorld world, Model model, LogRecovery recovered, Faults faults) {
    this.world = world;
    this.model = model;
    this.random = world.random().split();
    this.superblock = recovered.superblock();
    this.superblocks = new Superblocks(world.dispatcher(), world.disk());
    this.pressure = new Pressure(world.dispatcher());
    pressure.relieveBy(new Checkpoints());
    this.writer =
        new LogWriter(
            CONFIG,
            environment(world, superblock, faults),
            recovered.state(),
            random.nextLong(),
            new LogListener() {
              @Override
              public void checkpointWanted() {
                checkpoint();
              }

              @Override
              public void logFailed(Failure failure) {
                logFailures.add(failure);
              }
            });
  }

  /** There is no content, and the log itself says when it wants a checkpoint. */
  private static final class Checkpoints implements Relief {
    @Override
    public void place(CompletionPort<Unit> port) {
      throw new AssertionError("no content");
    }

    @Override
    public boolean isPlacing() {
      return false;
    }

    @Override
    public void checkpoint(CompletionPort<Unit> port) {
      throw new AssertionError("asked for twice");
    }

    @Override
    public boolean isCheckpointing() {
      return false;
    }

    @Override
    public void lift() {}
  }

  static LogEnvironment environment(SimWorld world, Superblock superblock) {
    return environment(world, superblock, Faults.NONE);
  }

  static LogEnvironment environment(SimWorld world, Superblock superblock, Faults faults) {
    return new LogEnvironment(
        world.dispatcher(), world.disk(), superblock.layout(), superblock.volumeId(), faults);
  }

  public static Superblock firstSuperblock(long volumeId) {
    return superblock(volumeId, LogPoint.ORIGIN);
  }

  private static Superblock superblock(long volumeId, LogPoint log) {
    return new Superblock(volumeId, 1, 0, log, List.of(), 0, 0, LAYOUT, VOLUME_BLOCKS, 400, 1, 0);
  }

  /** A freshly formatted volume. */
  public static DiskImage formatted(long seed) {
    return formatted(seed, LogPoint.ORIGIN);
  }

  /** One that is empty: half of them fresh, the others with the log on its second lap. */
  static DiskImage empty(long seed) {
    boolean fresh = seed % 2 == 1;
    return formatted(seed, fresh ? LogPoint.ORIGIN : new LogPoint(LAYOUT.logBlocks(), 5, seed, 9));
  }

  private static DiskImage formatted(long seed, LogPoint log) {
    SimWorld world = SimWorld.ofBlocks(seed, VOLUME_BLOCKS);
    Superblock first = superblock(seed * 31 + 7, log);
    world.<Unit>get(
        port -> new VolumeFormatter(world.dispatcher(), world.disk(), first).start(port));
    return world.disk().contents().fork();
  }

  /** A machine with this disk. */
  static SimWorld machine(long seed, DiskImage image) {
    return new SimWorld(seed, SimDiskConfig.ofBlocks(VOLUME_BLOCKS)).reopen(image);
  }

  /** Appends so many records, or until the crash. Says whether all were promised. */
  boolean run(int records) {
    left = records;
    for (int i = 0; i < CLIENTS; i++) {
      busy++;
      client();
    }
    return world.runUntil(() -> busy == 0 && !checkpointing);
  }

  private void client() {
    if (left == 0) {
      busy--;
      return;
    }
    left--;
    byte[] bytes = new byte[size()];
    random.nextBytes(bytes);
    if (bytes.length > 4096) {
      forge(bytes);
    }
    if (random.nextInt(3) != 0) {
      append(bytes, List.of());
      return;
    }
    NamedExtent named = newExtent();
    ByteBuffer data = Disk.newBuffer(named.crcs().length * Disk.BLOCK_BYTES);
    byte[] block = new byte[Disk.BLOCK_BYTES];
    for (int i = 0; i < named.crcs().length; i++) {
      random.nextBytes(block);
      data.put(block);
      CRC32C crc = new CRC32C();
      crc.update(block);
      named.crcs()[i] = (int) crc.getValue();
    }
    world
        .disk()
        .submit(
            new DiskRequest.Write(
                named.extent().block(),
                List.of(data.flip()),
                IoClass.FOREGROUND_WRITE,
                completion -> {
                  if (completion instanceof Completion.Done<Unit>) {
                    append(bytes, List.of(named));
                  } else {
                    client();
                  }
                }));
  }

  /**
   * Somebody keeps a copy of a volume in its own original: at a block boundary the record looks
   * like a whole and valid batch of this log, only of another position.
   */
  private void forge(byte[] bytes) {
    LogBatch batch = new LogBatch(Disk.newBuffer(Disk.BLOCK_BYTES));
    long scn = model.lastScn + 1 + random.nextInt(3);
    batch.add(scn, ByteBuffer.wrap(new byte[] {1, 2, 3}), List.of(), completion -> {}, 0);
    LogPoint elsewhere = new LogPoint(random.nextInt(1 << 30), 5, random.nextLong(), 9);
    batch.seal(
        new BatchHeader(superblock.volumeId(), elsewhere, 7, scn, scn, 3, batch.bytes(), 1, 0, 0));
    int secondBlock = Disk.BLOCK_BYTES - BatchHeader.BYTES - LogFrames.HEAD_BYTES;
    batch.buffer().get(0, bytes, secondBlock, batch.bytes());
  }

  private int size() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> 4096 - BatchHeader.BYTES - LogFrames.HEAD_BYTES;
      case 2 -> writer.maxRecordBytes() - 64;
      case 3, 4 -> random.nextInt(4000);
      default -> random.nextInt(200);
    };
  }

  /** Extents go round the data region; what the last superblock's replay may need stays. */
  private NamedExtent newExtent() {
    int blocks = 1 + random.nextInt(4);
    while (true) {
      if (model.dataCursor + blocks > VOLUME_BLOCKS) {
        model.dataCursor = LAYOUT.dataStart();
      }
      Extent candidate = new Extent(model.dataCursor, blocks);
      model.dataCursor += blocks;
      boolean free =
          model.records.tailMap(model.checkpointScn, false).values().stream()
              .flatMap(one -> one.named().stream())
              .noneMatch(one -> overlap(one.extent(), candidate));
      if (free) {
        return new NamedExtent(candidate, new int[blocks]);
      }
    }
  }

  private static boolean overlap(Extent one, Extent other) {
    return one.block() < other.end() && other.block() < one.end();
  }

  private void append(byte[] bytes, List<NamedExtent> named) {
    if (!writer.hasRoom(bytes.length, named)) {
      pressure.await(
          Scarce.LOG,
          new RoomNeed.InLog(pressure, writer, bytes.length, named),
          room -> append(bytes, named));
      return;
    }
    long scn = ++model.lastScn;
    model.records.put(scn, new Appended(bytes, named));
    ByteBuffer record = ByteBuffer.wrap(bytes.clone());
    writer.append(scn, record, named, completion -> durable(scn, completion));
    // The log must have copied the record.
    java.util.Arrays.fill(record.array(), (byte) 0);
  }

  private void durable(long scn, Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit>) {
      failedAppends++;
      client();
      return;
    }
    if (failedAppends > 0) {
      throw new AssertionError("acknowledged " + scn + " after a failure");
    }
    if (scn != model.promisedScn + 1) {
      throw new AssertionError("acknowledged " + scn + " after " + model.promisedScn);
    }
    if (writer.durableScn() < scn) {
      throw new AssertionError("acknowledged " + scn + ", durable " + writer.durableScn());
    }
    model.promisedScn = scn;
    switch (random.nextInt(8)) {
      case 0 -> world.dispatcher().schedule(random.nextInt(20_000_000), this::client);
      case 1 -> world.dispatcher().schedule(random.nextInt(1_000_000), this::client);
      default -> client();
    }
  }

  private void checkpoint() {
    if (checkpointing) {
      return;
    }
    checkpointing = true;
    long scn = model.lastScn;
    LogPoint point = writer.replayPoint();
    world
        .disk()
        .submit(
            new DiskRequest.Sync(
                IoClass.BACKGROUND,
                completion -> {
                  if (completion instanceof Completion.Done<Unit>) {
                    writeSuperblock(scn, point);
                  } else {
                    checkpointFailed(completion);
                  }
                }));
  }

  private void checkpointFailed(Completion<Unit> completion) {
    checkpointing = false;
    if (completion instanceof Completion.Failed<Unit>(Failure failure)) {
      writer.failElsewhere(failure);
    }
  }

  private void writeSuperblock(long scn, LogPoint point) {
    Superblock next =
        new Superblock(
            superblock.volumeId(),
            superblock.sequence() + 1,
            scn,
            point,
            List.of(new StoreRoot(1, new byte[] {(byte) scn})),
            0,
            0,
            LAYOUT,
            VOLUME_BLOCKS,
            400,
            1,
            /* features= */ 0);
    model.triedSequence = next.sequence();
    superblocks.write(
        next,
        completion -> {
          checkpointing = false;
          if (completion instanceof Completion.Done<Unit>) {
            superblock = next;
            model.checkpointScn = scn;
            model.checkpointSequence = next.sequence();
            writer.trim(point.position());
          } else {
            checkpointFailed(completion);
          }
        });
  }
}
