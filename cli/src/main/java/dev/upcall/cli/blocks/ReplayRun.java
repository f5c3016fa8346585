package dev.upcall.cli.blocks;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Sizes;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.replay.ReplayConfig;
import dev.upcall.io.replay.ReplayCounts;
import dev.upcall.io.replay.TraceReplay;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.io.volume.VolumeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One replay: its target, its thread, and what is measured of it. */
record ReplayRun(
    BlocksCommand.Surroundings around, ReplayOptions options, Path trace, TraceOutline outline) {
  private static final int PIECE = 1024;

  /** Plays it on a file of the current directory that is removed again, however it ends. */
  ReplayReport onScratch() throws IOException {
    if (options.overwrite != null) {
      throw CommandFailure.usage("--overwrite goes with a target");
    }
    long blocks = options.scratchBlocks(outline.endBlock());
    checkFits("a scratch file of that --size", blocks);
    Path scratch = around.directory().resolve("upcall-replay-" + UUID.randomUUID() + ".scratch");
    try {
      return on(VolumeSpec.create(scratch, options.disk(), blocks));
    } finally {
      Files.deleteIfExists(scratch);
    }
  }

  /** Plays it on what is there. */
  ReplayReport on(Path target) throws IOException {
    if (options.scratchBytes != null) {
      throw CommandFailure.usage("--size is that of a scratch file: leave out the target");
    }
    boolean writes = outline.changes() && !options.readsOnly;
    if (writes) {
      checkNamedTwice(target, options.overwrite);
    }
    return on(VolumeSpec.existing(target, options.disk()).withReadOnly(!writes));
  }

  private void checkNamedTwice(Path target, @Nullable Path again) throws IOException {
    if (again == null) {
      throw CommandFailure.usage(
          "the trace writes, and would write over what is on %s: say --overwrite %s as well, or"
                  .formatted(target, target)
              + " --reads-only");
    }
    Path named = around.directory().resolve(again);
    if (!Files.exists(target)) {
      throw CommandFailure.failed("there is no " + target + " to play on");
    }
    if (!Files.exists(named) || !Files.isSameFile(named, target)) {
      throw CommandFailure.usage(
          "--overwrite %s is not the target, %s; nothing was written".formatted(named, target));
    }
  }

  private void checkFits(String target, long blocks) {
    if (outline.endBlock() > blocks && !options.scale) {
      throw CommandFailure.failed(
          "%s of the trace reaches to %s, and %s has %s: give --scale to put places there in proportion"
              .formatted(
                  outline.farthest(),
                  Sizes.show(outline.endBlock() * Disk.BLOCK_BYTES),
                  target,
                  Sizes.show(blocks * Disk.BLOCK_BYTES)));
    }
  }

  private ReplayReport on(VolumeSpec spec) throws IOException {
    IoPolicyConfig policy = options.policy();
    options.config(1, 1);
    // Asked once, signals are heard: from here on what is scratch is removed however it ends.
    if (around.stop().test(0)) {
      around.say("stopped before it began");
    }
    try (ReplayThread thread = new ReplayThread()) {
      Disk device = thread.open(spec);
      try {
        checkFits(spec.name(), device.sizeBlocks());
        return play(thread, device, policy);
      } finally {
        thread.<Unit>await(device::close);
      }
    }
  }

  private ReplayReport play(ReplayThread thread, Disk device, IoPolicyConfig policy)
      throws IOException {
    ReplayConfig config = options.config(outline.endBlock(), device.sizeBlocks());
    if (!config.scale().isNone()) {
      around.say("places are put onto " + Sizes.show(device.sizeBlocks() * Disk.BLOCK_BYTES));
    }
    BlockMeasures measures = new BlockMeasures(device.sizeBlocks());
    TraceReplay replay =
        thread.<TraceReplay>await(
            port -> {
              Disk traced = new TracedDisk(device, thread.dispatcher(), measures);
              Disk scheduled = policy.over(traced, thread.dispatcher());
              thread
                  .dispatcher()
                  .complete(
                      port,
                      Completion.done(new TraceReplay(thread.dispatcher(), scheduled, config)));
            });
    try (ReplayWatch watch = new ReplayWatch(around, thread.dispatcher(), replay, outline)) {
      List<TraceEntry> piece = new ArrayList<>(PIECE);
      TraceOutline.each(
          trace,
          entry -> {
            piece.add(entry);
            if (piece.size() == PIECE) {
              feed(thread, replay, piece);
            }
            return !watch.isStopped();
          });
      feed(thread, replay, piece);
      ReplayCounts counts = thread.await(replay::finish);
      return thread.<ReplayReport>await(
          port ->
              thread
                  .dispatcher()
                  .complete(
                      port,
                      Completion.done(
                          new ReplayReport(
                              counts, measures.snapshot(), device.counters(), watch.isStopped()))));
    }
  }

  private static void feed(ReplayThread thread, TraceReplay replay, List<TraceEntry> piece) {
    List<TraceEntry> more = List.copyOf(piece);
    piece.clear();
    thread.<Unit>await(port -> replay.feed(more, port));
  }
}
