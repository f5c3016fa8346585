package dev.upcall.io;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The sealed family of requests to a {@link Disk}. Addresses and counts are in blocks. Failures:
 * {@code Device} (with the operating system's words), {@code VolumeFull} (no space on the device),
 * {@code Closed}.
 */
public sealed interface DiskRequest {
  /** Where the completion goes. */
  CompletionPort<Unit> port();

  /** The scheduling class. */
  IoClass ioClass();

  /** Who asks, as far as the port knows; 0 otherwise. */
  default int asker() {
    return port() instanceof AskingPort asking ? asking.asker() : 0;
  }

  /** For how long it was held back before it was submitted, as far as the port knows. */
  default long waitedNanos() {
    return port() instanceof AskingPort asking ? asking.waitedNanos() : 0;
  }

  /** How many requests this one was merged from, as far as the port knows; 1 otherwise. */
  default int parts() {
    return port() instanceof AskingPort asking ? asking.parts() : 1;
  }

  /** Which kind it is. */
  DiskOperation operation();

  /** The same request in another class, answered elsewhere. */
  default DiskRequest as(IoClass other, CompletionPort<Unit> port) {
    return switch (this) {
      case Read read -> new Read(read.block(), read.into(), other, port);
      case Write write -> new Write(write.block(), write.from(), other, port);
      case DurableWrite write -> new DurableWrite(write.block(), write.from(), other, port);
      case Sync sync -> new Sync(other, port);
      case Allocate allocate -> new Allocate(allocate.block(), allocate.blocks(), other, port);
      case Discard discard -> new Discard(discard.block(), discard.blocks(), other, port);
      case Shrink shrink -> new Shrink(shrink.blocks(), other, port);
      case Stat stat -> new Stat(other, port);
    };
  }

  /** The first block that it touches; 0 if it has none. */
  default long firstBlock() {
    return 0;
  }

  /** How many blocks it moves, allocates, discards or keeps; 0 if it has none. */
  default long blocks() {
    return DiskRules.lengthBytes(buffers()) / Disk.BLOCK_BYTES;
  }

  /** What its blocks are read into or written from; empty if it moves none. */
  default List<ByteBuffer> buffers() {
    return List.of();
  }

  /**
   * Reads consecutive blocks into buffers, each a multiple of the block size, filled from position
   * to limit (positions are left as they were). Blocks that were never written read as zeros.
   */
  record Read(long block, List<ByteBuffer> into, IoClass ioClass, CompletionPort<Unit> port)
      implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.READ;
    }

    @Override
    public long firstBlock() {
      return block;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return into;
    }
  }

  /**
   * Writes consecutive blocks from buffers (position to limit, left as they were). Not durable
   * until a later sync.
   */
  record Write(long block, List<ByteBuffer> from, IoClass ioClass, CompletionPort<Unit> port)
      implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.WRITE;
    }

    @Override
    public long firstBlock() {
      return block;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return from;
    }
  }

  /**
   * As {@link Write}; these blocks themselves are durable at the completion. Says nothing of any
   * other write.
   */
  record DurableWrite(long block, List<ByteBuffer> from, IoClass ioClass, CompletionPort<Unit> port)
      implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.DURABLE_WRITE;
    }

    @Override
    public long firstBlock() {
      return block;
    }

    @Override
    public List<ByteBuffer> buffers() {
      return from;
    }
  }

  /**
   * Makes durable all writes, allocations and size changes that had completed before this was
   * submitted.
   */
  record Sync(IoClass ioClass, CompletionPort<Unit> port) implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.SYNC;
    }
  }

  /**
   * Gives the volume room for blocks [block, block + blocks), growing it if need be. New blocks
   * read as zeros.
   */
  record Allocate(long block, long blocks, IoClass ioClass, CompletionPort<Unit> port)
      implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.ALLOCATE;
    }

    @Override
    public long firstBlock() {
      return block;
    }
  }

  /**
   * Gives the room of blocks back to the device; they read as zeros. A disk that cannot punch
   * completes with success and does nothing.
   */
  record Discard(long block, long blocks, IoClass ioClass, CompletionPort<Unit> port)
      implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.DISCARD;
    }

    @Override
    public long firstBlock() {
      return block;
    }
  }

  /** Cuts the volume to its first {@code blocks} blocks. */
  record Shrink(long blocks, IoClass ioClass, CompletionPort<Unit> port) implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.SHRINK;
    }

    @Override
    public long firstBlock() {
      return blocks;
    }
  }

  /**
   * Looks whether the volume's file still has a name and is as long as it was made. If not, that is
   * the failure ({@code Device}), and from then on that of everything but reads and of this: the
   * disk changes nothing any more.
   */
  record Stat(IoClass ioClass, CompletionPort<Unit> port) implements DiskRequest {
    @Override
    public DiskOperation operation() {
      return DiskOperation.STAT;
    }
  }
}
