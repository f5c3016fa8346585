package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.FreeMap;
import dev.upcall.space.FreeMapConfig;
import dev.upcall.space.MapLoad;
import dev.upcall.space.MapLoader;
import dev.upcall.txn.volume.Superblock;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the free-space map that a superblock names, all copies of it: what is damaged or cannot be
 * read in one is taken from another, and written again with the next checkpoint.
 */
public final class MapLoading {
  private final Disk disk;
  private final Superblock superblock;
  private final MapLoader loader;
  private final CompletionPort<MapLoad.Loaded> port;
  private final ByteBuffer buffer;
  private int copy;
  private int pieceBlocks = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;
  private @Nullable Failure unreadable;

  private MapLoading(
      Disk disk, Superblock superblock, FreeMapConfig config, CompletionPort<MapLoad.Loaded> port) {
    this.disk = disk;
    this.superblock = superblock;
    this.loader =
        new MapLoader(
            config,
            superblock.volumeBlocks(),
            superblock.mapSequence(),
            superblock.layout().mapCopies());
    this.port = port;
    this.buffer =
        Disk.newBuffer((int) Math.min(loader.homeBlocks(), pieceBlocks) * Disk.BLOCK_BYTES);
  }

  /** Loads; a volume that never had a checkpoint has an empty map. Must itself run as an upcall. */
  public static void load(
      Disk disk, Superblock superblock, FreeMapConfig config, CompletionPort<MapLoad.Loaded> port) {
    if (superblock.mapSequence() == 0) {
      port.complete(
          Completion.done(
              new MapLoad.Loaded(new FreeMap(config, superblock.volumeBlocks()), List.of())));
    } else {
      new MapLoading(disk, superblock, config, port).read(0);
    }
  }

  private void read(long home) {
    int blocks = (int) Math.min(loader.homeBlocks() - home, pieceBlocks);
    Invariants.check(blocks > 0, "read behind the map's homes", home, loader.homeBlocks());
    buffer.clear().limit(blocks * Disk.BLOCK_BYTES);
    disk.submit(
        new DiskRequest.Read(
            superblock.layout().mapStart(copy) + home,
            List.of(buffer),
            IoClass.FOREGROUND_READ,
            completion -> arrived(home, blocks, completion)));
  }

  private void arrived(long home, int blocks, Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit>(Failure why)) {
      unreadable = why;
      if (blocks > 1) {
        // Whatever of it can be read, block by block.
        pieceBlocks = 1;
        read(home);
        return;
      }
      loader.unreadable(home);
    } else {
      for (int i = 0; i < blocks; i++) {
        loader.accept(copy, home + i, buffer.slice(i * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES));
      }
    }
    if (home + blocks < loader.homeBlocks()) {
      read(home + blocks);
    } else if (++copy < superblock.layout().mapCopies()) {
      read(0);
    } else {
      // All copies, also when the first is whole: in each may lie what a checkpoint that never was
      // has left, and the next image must overwrite it.
      port.complete(finish());
    }
  }

  private Completion<MapLoad.Loaded> finish() {
    return switch (loader.finish(superblock.mapDigest())) {
      case MapLoad.Loaded loaded -> Completion.done(loaded);
      case MapLoad.Corrupt corrupt ->
          Completion.failed(
              unreadable != null
                  ? unreadable
                  : new Failure.Corrupt(
                      disk.name(),
                      corrupt.what(),
                      (superblock.layout().mapStart() + 2L * Math.max(0, corrupt.chunk()))
                          * Disk.BLOCK_BYTES,
                      corrupt.expected(),
                      corrupt.found()));
    };
  }
}
