package dev.upcall.bench.ecommerce.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.request.FileRequest;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.drive.DriveConfig;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Readers of a store's volume on the modelled drive, alone and beside its checkpoint, in virtual
 * time: a real store, whose checkpoint places what files were written, behind a scheduler that it
 * shares with a closed loop of readers of random blocks.
 */
public final class CheckpointReaders {
  private static final int READERS = 8;
  private static final int FIRST_ASKER = 100;
  private static final int FILES_OF_BATCH = 32;
  private static final int FILE_BYTES = 16 << 10;
  private static final int COMMAND_DEPTH = 4;
  private static final long DRIVE_BLOCKS = 17_800_000;
  private static final long VOLUME_BLOCKS = 32_768;
  private static final long MEMORY_BYTES = 96 << 20;
  private static final VolumeLayout LAYOUT =
      new VolumeLayout(/* logBlocks= */ 8192, /* mapChunkBlocks= */ 4096, VOLUME_BLOCKS * 2);

  /** For so long nobody has read: the background is not paced by what was before. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final SimWorld world;
  private final Disk disk;
  private final Store store;
  private final FileManager files;
  private final SplittableRandom places;
  private final List<Long> latencies = new ArrayList<>();
  private boolean isReading;
  private int open;

  /**
   * What readers had.
   *
   * @param aloneNanos the 99th percentile of reads while nothing else happens
   * @param besideNanos the same beside a checkpoint
   * @param reads how many there were beside it
   * @param checkpointNanos how long that took
   */
  public record Result(long aloneNanos, long besideNanos, int reads, long checkpointNanos) {
    /** How many times as long reads take. */
    public double ratio() {
      return (double) besideNanos / aloneNanos;
    }
  }

  private CheckpointReaders(Policy policy, long seed) {
    SimDiskConfig config =
        SimDiskConfig.ofBlocks(0)
            .withCapacity(VOLUME_BLOCKS * 2)
            .withService(DriveConfig.fast15k(DRIVE_BLOCKS));
    this.world = new SimWorld(seed, config).closesUnchecked("times are looked at, not contents");
    this.places = new SplittableRandom(seed);
    this.disk =
        new IoScheduler(
            world.disk(),
            world.dispatcher(),
            policy.over(world.dispatcher(), COMMAND_DEPTH),
            MergeConfig.DEFAULT);
    Stores.Format format = new Stores.Format(seed | 1, LAYOUT, VOLUME_BLOCKS, VOLUME_BLOCKS * 2);
    world.<Unit>get(port -> Stores.format(world.dispatcher(), disk, format, port));
    StoreOptions options =
        new StoreOptions(
            StoreConfig.ofMemory(MEMORY_BYTES),
            /* capBlocks= */ 0,
            /* treeFanOut= */ 0,
            new SplittableRandom(seed));
    this.store = world.get(port -> Stores.open(world.dispatcher(), disk, options, port));
    this.files = world.get(port -> FileManager.open(store, FileManagerConfig.DEFAULT, port));
  }

  /**
   * Runs it.
   *
   * @param batches of 32 files of 16 KiB that the checkpoint has to place
   * @param aloneNanos for so long readers are alone
   */
  public static Result run(Policy policy, long seed, int batches, long aloneNanos) {
    CheckpointReaders run = new CheckpointReaders(policy, seed);
    run.write(batches);
    run.world.<Unit>get(run.store::checkpoint);
    run.rest(REST_NANOS);
    run.startReaders();
    run.rest(aloneNanos);
    run.stopReaders();
    long alone = run.percentile();
    run.write(batches);
    run.rest(REST_NANOS);
    run.startReaders();
    long begun = run.nowNanos();
    run.world.<Unit>get(run.store::checkpoint);
    long took = run.nowNanos() - begun;
    run.stopReaders();
    Result result = new Result(alone, run.percentile(), run.latencies.size(), took);
    run.world.<Unit>get(run.files::close);
    run.world.<Unit>get(run.store::close);
    return result;
  }

  private void write(int batches) {
    byte[] bytes = new byte[FILE_BYTES];
    for (int batch = 0; batch < batches; batch++) {
      List<FileRequest> puts = new ArrayList<>();
      for (int i = 0; i < FILES_OF_BATCH; i++) {
        // Contents that no zeros of a hole could stand for.
        places.nextBytes(bytes);
        StorePath path = StorePath.of("/%d-%d".formatted(batch, i));
        puts.add(
            new FileRequest.Put(path, new FileContent.Bytes(bytes.clone()), PutOptions.DEFAULT));
      }
      world.<BatchResult>get(port -> files.batch(puts, port));
    }
  }

  private void rest(long nanos) {
    boolean[] over = {false};
    world.dispatcher().schedule(nanos, () -> over[0] = true);
    world.runUntil(() -> over[0]);
  }

  private void startReaders() {
    latencies.clear();
    isReading = true;
    for (int reader = 0; reader < READERS; reader++) {
      read(reader);
    }
  }

  private void stopReaders() {
    isReading = false;
    world.runUntil(() -> open == 0);
  }

  private void read(int reader) {
    long begun = nowNanos();
    open++;
    disk.submit(
        new DiskRequest.Read(
            places.nextLong(LAYOUT.dataStart(), VOLUME_BLOCKS),
            List.of(Disk.newBuffer(Disk.BLOCK_BYTES)),
            IoClass.FOREGROUND_READ,
            new AskingPort() {
              @Override
              public int asker() {
                return FIRST_ASKER + reader;
              }

              @Override
              public void complete(Completion<Unit> completion) {
                open--;
                latencies.add(nowNanos() - begun);
                if (isReading) {
                  read(reader);
                }
              }
            }));
  }

  private long percentile() {
    List<Long> sorted = latencies.stream().sorted().toList();
    return sorted.get((int) (sorted.size() * 0.99));
  }

  private long nowNanos() {
    return world.clock().monotonicNanos();
  }
}
