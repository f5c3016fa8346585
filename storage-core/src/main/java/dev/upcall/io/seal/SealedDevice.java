package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The counterpart of {@link SealedDisk} for threads: the thread that brings a transfer encrypts or
 * decrypts it, and waits for memory where others have it. Any thread. Closing it closes the device
 * and the seal.
 */
final class SealedDevice implements BlockDevice {
  private final BlockDevice device;
  private final Seal seal;
  private final ConcurrentLinkedQueue<Xts> ciphers = new ConcurrentLinkedQueue<>();

  /** Had while one waits for memory. Fair, so that a large transfer does not wait for ever. */
  private final ReentrantLock turn = new ReentrantLock(true);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition givenBack = lock.newCondition();

  /** Only with the lock. */
  private final ScratchBlocks scratch;

  SealedDevice(BlockDevice device, Seal seal, int scratchBlocks) {
    this.device = device;
    this.seal = seal;
    this.scratch = new ScratchBlocks(scratchBlocks);
  }

  @Override
  public Completion<Unit> perform(DiskRequest request) {
    boolean isRead = request instanceof DiskRequest.Read;
    if (request.buffers().isEmpty() || seal.isClear(request.firstBlock(), request.blocks())) {
      Invariants.check(
          isRead || request.buffers().isEmpty() || seal.isOpen(),
          "a write to a volume whose seal is not open");
      return device.perform(request);
    }
    return isRead ? read(request) : write(request);
  }

  private Completion<Unit> read(DiskRequest request) {
    Completion<Unit> completion = device.perform(request);
    if (completion instanceof Completion.Done<Unit>) {
      through(request, request.buffers());
    }
    return completion;
  }

  private Completion<Unit> write(DiskRequest request) {
    ScratchBlocks.Part part = take((int) request.blocks());
    try {
      through(request, part.buffers());
      return device.perform(
          request instanceof DiskRequest.DurableWrite
              ? new DiskRequest.DurableWrite(
                  request.firstBlock(), part.buffers(), request.ioClass(), request.port())
              : new DiskRequest.Write(
                  request.firstBlock(), part.buffers(), request.ioClass(), request.port()));
    } finally {
      giveBack(part);
    }
  }

  private void through(DiskRequest request, List<ByteBuffer> to) {
    Xts free = ciphers.poll();
    Xts cipher = free == null ? seal.newCipher() : free;
    new BlockCipher(seal, cipher, request, to).step((int) request.blocks());
    ciphers.add(cipher);
  }

  private ScratchBlocks.Part take(int blocks) {
    // In order of arrival: the first waits for memory, the others for their turn.
    turn.lock();
    lock.lock();
    try {
      ScratchBlocks.Part part = scratch.take(blocks);
      while (part == null) {
        givenBack.awaitUninterruptibly();
        part = scratch.take(blocks);
      }
      return part;
    } finally {
      lock.unlock();
      turn.unlock();
    }
  }

  private void giveBack(ScratchBlocks.Part part) {
    lock.lock();
    try {
      scratch.giveBack(part);
      givenBack.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long sizeBlocks() {
    return device.sizeBlocks();
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public void close() {
    device.close();
    seal.close();
  }
}
