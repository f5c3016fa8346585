package dev.upcall.sim.store.plan;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.io.seal.Seal;

/** Seals that are broken on purpose, for writes behind the fixed part of a volume. */
final class BrokenSeal {
  /** One of so many of these writes is not encrypted. */
  private static final int LEAKS_ONE_IN = 8;

  private static final long MOVED = -4711;

  private BrokenSeal() {}

  /** Some writes go past it. */
  static Disk leaking(Disk disk, Seal seal, Dispatcher dispatcher, long dataStart) {
    return new ForwardingDisk(seal.over(disk, dispatcher)) {
      private int writes;

      @Override
      public void submit(DiskRequest request) {
        if (request instanceof DiskRequest.Write write
            && write.block() >= dataStart
            && ++writes % LEAKS_ONE_IN == 0) {
          disk.submit(request);
        } else {
          pass(request);
        }
      }
    };
  }

  /** Blocks are encrypted by the number of the next one, and lie where they should. */
  static Disk shifted(Disk disk, Seal seal, Dispatcher dispatcher, long dataStart) {
    Disk back =
        new ForwardingDisk(disk) {
          @Override
          public void submit(DiskRequest request) {
            pass(
                request instanceof DiskRequest.Write write && write.waitedNanos() == MOVED
                    ? at(write, write.block() - 1, write.port())
                    : request);
          }
        };
    return new ForwardingDisk(seal.over(back, dispatcher)) {
      @Override
      public void submit(DiskRequest request) {
        pass(
            request instanceof DiskRequest.Write write
                    && write.block() >= dataStart
                    && write.block() + write.blocks() < sizeBlocks()
                ? at(write, write.block() + 1, new Moved(write.port()))
                : request);
      }
    };
  }

  private static DiskRequest at(DiskRequest.Write write, long block, CompletionPort<Unit> port) {
    return new DiskRequest.Write(block, write.from(), write.ioClass(), port);
  }

  /** How a write is recognised behind the seal. */
  private record Moved(CompletionPort<Unit> port) implements AskingPort {
    @Override
    public void complete(Completion<Unit> completion) {
      port.complete(completion);
    }

    @Override
    public int asker() {
      return 0;
    }

    @Override
    public long waitedNanos() {
      return MOVED;
    }
  }
}
