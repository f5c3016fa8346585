package dev.upcall.bench.provider;

import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Random reads of one asynchronous channel by one thread, which keeps as many of them outstanding:
 * it begins another when one has ended. Handlers run where the channel's provider has them by
 * itself.
 */
final class OutstandingReads implements ThreadedLoop.Step {
  private final AsynchronousFileChannel channel;
  private final int blocks;
  private final Random random;
  private final BlockingQueue<Read> ended = new LinkedBlockingQueue<>();

  private OutstandingReads(AsynchronousFileChannel channel, int blocks) {
    this.channel = channel;
    this.blocks = blocks;
    this.random = new Random(blocks);
  }

  /** A step is a read that has ended, and another begun; all of the file has been read before. */
  static Work of(int blocks, int outstanding) {
    return (directory, _) -> {
      Path path = directory.resolve("file");
      ChannelWork.fill(path, blocks);
      OutstandingReads reads =
          new OutstandingReads(AsynchronousFileChannel.open(path, StandardOpenOption.READ), blocks);
      for (int i = 0; i < outstanding; i++) {
        reads.begin(new Read(reads.ended));
      }
      return reads;
    };
  }

  private void begin(Read read) {
    long position = (long) random.nextInt(blocks) * ChannelWork.BLOCK_BYTES;
    channel.read(read.block.clear(), position, read, Read.HANDLER);
  }

  @Override
  public void run() throws IOException {
    Read read = next();
    if (read.failure != null || read.bytes != ChannelWork.BLOCK_BYTES) {
      throw new IOException("a read of " + read.bytes + " bytes", read.failure);
    }
    begin(read);
  }

  private Read next() throws IOException {
    try {
      return ended.take();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reads are outstanding", interrupted);
    }
  }

  /** One of those outstanding; whoever has it from the queue has what its handler has put here. */
  private static final class Read {
    static final CompletionHandler<Integer, Read> HANDLER =
        new CompletionHandler<>() {
          @Override
          public void completed(Integer count, Read read) {
            read.end(count, null);
          }

          @Override
          public void failed(Throwable why, Read read) {
            read.end(0, why);
          }
        };

    private final BlockingQueue<Read> ended;
    private final ByteBuffer block = ByteBuffer.allocateDirect(ChannelWork.BLOCK_BYTES);
    private int bytes;
    private @Nullable Throwable failure;

    Read(BlockingQueue<Read> ended) {
      this.ended = ended;
    }

    private void end(int count, @Nullable Throwable why) {
      bytes = count;
      failure = why;
      ended.add(this);
    }
  }
}
