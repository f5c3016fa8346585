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
import java.util.List;
import java.util.SplittableRandom;

/**
 * The ceiling of reads: the same dispatcher and disk seam with nothing above them, over a file of
 * {@link Blocks}. Options: {@code file}, {@code disk}, {@code depth}.
 */
final class SeamReadJob implements Job.Timed {
  private final LoopThread loop = new LoopThread();
  private final Disk disk;
  private final int depth;
  private final SplittableRandom random = new SplittableRandom(System.nanoTime());

  SeamReadJob(Fields options) throws IOException {
    depth = (int) options.number("depth");
    VolumeSpec spec =
        VolumeSpec.existing(Path.of(options.text("file")), DiskKind.valueOf(options.text("disk")));
    disk = loop.<Disk>await(port -> Volumes.open(spec, loop.dispatcher(), loop.reactor(), port));
  }

  @Override
  public Tally run(long nanos) {
    return ClosedLoop.run(loop.dispatcher(), depth, nanos, Reader::new);
  }

  @Override
  public void close() throws IOException {
    loop.<Unit>await(disk::close);
    loop.close();
  }

  private final class Reader extends ClosedLoop.Chain implements CompletionPort<Unit> {
    private final ByteBuffer buffer = Disk.newBuffer(Blocks.BYTES);
    private final List<ByteBuffer> into = List.of(buffer);
    private long block;

    private Reader(ClosedLoop loop) {
      super(loop);
    }

    @Override
    protected void begin() {
      block = random.nextLong(disk.sizeBlocks());
      disk.submit(new DiskRequest.Read(block, into, IoClass.FOREGROUND_READ, this));
    }

    @Override
    public void complete(Completion<Unit> completion) {
      switch (completion) {
        case Completion.Done<Unit> _ -> {
          Blocks.check(block, buffer);
          done();
        }
        case Completion.Failed<Unit> failed -> failed(failed.failure());
      }
    }
  }
}
