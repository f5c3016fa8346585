package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.ClosedLoop;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.workload.LoopThread;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The ceiling of durable creates of 4 KiB: what they ask of the device, over the same dispatcher
 * and disk seam, with nothing above. All that wait share a log write, of a block for the commit and
 * one for each content; what the log holds is written once more to its place, a group at a time,
 * and synced. Nobody waits for a place; how many blocks have none at the end is told. Options:
 * {@code volume} (made), {@code disk}, {@code depth} (commits outstanding), {@code log} (its
 * blocks), {@code places} (their blocks), {@code group} (blocks that are placed together), {@code
 * piece} (blocks of one write of them).
 */
final class SeamCommitJob implements Job.Counted {
  private static final int BATCH_BLOCKS = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final LoopThread loop = new LoopThread();
  private final Disk disk;
  private final Blocks blocks = new Blocks(1);
  private final int depth;
  private final Log log;
  private final Places places;
  private long units;

  SeamCommitJob(Fields options) throws IOException {
    depth = (int) options.number("depth");
    long logBlocks = options.number("log");
    long placeBlocks = options.number("places");
    VolumeSpec spec =
        VolumeSpec.create(
            Path.of(options.text("volume")),
            DiskKind.valueOf(options.text("disk")),
            logBlocks + placeBlocks);
    disk = loop.<Disk>await(port -> Volumes.open(spec, loop.dispatcher(), loop.reactor(), port));
    log = new Log(logBlocks);
    places =
        new Places(
            logBlocks, placeBlocks, (int) options.number("group"), (int) options.number("piece"));
    for (long at = 0; at < logBlocks; at += BATCH_BLOCKS) {
      long from = at;
      loop.<Unit>await(
          port ->
              disk.submit(
                  new DiskRequest.Write(from, List.of(log.memory), IoClass.BACKGROUND, port)));
    }
    loop.<Unit>await(port -> disk.submit(new DiskRequest.Sync(IoClass.BACKGROUND, port)));
  }

  @Override
  public Tally run(long nanos) throws IOException {
    long deadlineNanos = System.nanoTime() + nanos;
    return run(now -> now < deadlineNanos);
  }

  @Override
  public Tally runUnits(long more) throws IOException {
    long last = units + more;
    return run(_ -> units < last);
  }

  private Tally run(LongPredicate goesOn) throws IOException {
    Tally tally = ClosedLoop.run(loop.dispatcher(), depth, goesOn, Commit::new);
    return tally.remark(
        "unplaced=" + loop.<Long>await(port -> port.complete(Completion.done(places.owedBlocks))));
  }

  @Override
  public void close() throws IOException {
    loop.<Unit>await(disk::close);
    loop.close();
  }

  private final class Commit extends ClosedLoop.Chain implements CompletionPort<Unit> {
    private Commit(ClosedLoop chain) {
      super(chain);
    }

    @Override
    protected void begin() {
      units++;
      log.add(this);
    }

    @Override
    public void complete(Completion<Unit> completion) {
      switch (completion) {
        case Completion.Done<Unit> _ -> done();
        case Completion.Failed<Unit> failed -> failed(failed.failure());
      }
    }
  }

  /** A ring of blocks that is written a batch at a time. */
  private final class Log implements CompletionPort<Unit> {
    private final ByteBuffer memory = Disk.newBuffer(BATCH_BLOCKS * Disk.BLOCK_BYTES);
    private final long sizeBlocks;
    private final ArrayDeque<CompletionPort<Unit>> waiting = new ArrayDeque<>();
    private final List<CompletionPort<Unit>> written = new ArrayList<>();
    private long at;
    private boolean isWriting;

    Log(long sizeBlocks) {
      this.sizeBlocks = sizeBlocks;
    }

    void add(CompletionPort<Unit> commit) {
      waiting.add(commit);
      if (!isWriting) {
        isWriting = true;
        loop.dispatcher().execute(this::write);
      }
    }

    private void write() {
      int most = BATCH_BLOCKS - 1;
      while (!waiting.isEmpty() && written.size() < most) {
        written.add(waiting.remove());
      }
      int batch = 1 + written.size();
      if (at + batch > sizeBlocks) {
        at = 0;
      }
      memory.clear().limit(batch * Disk.BLOCK_BYTES);
      blocks.fill(units, memory.duplicate());
      disk.submit(new DiskRequest.DurableWrite(at, List.of(memory), IoClass.LOG, this));
      at += batch;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      List<CompletionPort<Unit>> ended = List.copyOf(written);
      written.clear();
      isWriting = false;
      places.owe(ended.size());
      ended.forEach(port -> port.complete(completion));
    }
  }

  /** Where a group stands. */
  private enum Step {
    IDLE,
    WRITING,
    SYNCING
  }

  /** Where content has its place. */
  private final class Places implements CompletionPort<Unit> {
    private final ByteBuffer memory;
    private final long fromBlock;
    private final long sizeBlocks;
    private final int groupBlocks;
    private final int pieceBlocks;
    private long owedBlocks;
    private long at;
    private int written;
    private Step step = Step.IDLE;

    Places(long fromBlock, long sizeBlocks, int groupBlocks, int pieceBlocks) {
      this.fromBlock = fromBlock;
      this.sizeBlocks = sizeBlocks;
      this.groupBlocks = groupBlocks;
      this.pieceBlocks = pieceBlocks;
      this.memory = Disk.newBuffer(pieceBlocks * Disk.BLOCK_BYTES);
    }

    void owe(int more) {
      owedBlocks += more;
      if (step == Step.IDLE && owedBlocks >= groupBlocks) {
        step = Step.WRITING;
        written = 0;
        piece();
      }
    }

    private void piece() {
      blocks.fill(at, memory.duplicate());
      disk.submit(new DiskRequest.Write(fromBlock + at, List.of(memory), IoClass.BACKGROUND, this));
      at = (at + pieceBlocks) % sizeBlocks;
      written += pieceBlocks;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      if (completion instanceof Completion.Failed<Unit> failed) {
        throw new IllegalStateException(failed.failure().message());
      }
      if (step == Step.SYNCING) {
        step = Step.IDLE;
        owedBlocks -= groupBlocks;
        owe(0);
      } else if (written < groupBlocks) {
        piece();
      } else {
        step = Step.SYNCING;
        disk.submit(new DiskRequest.Sync(IoClass.BACKGROUND, this));
      }
    }
  }
}
