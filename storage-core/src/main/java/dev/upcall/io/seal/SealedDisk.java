package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.DiskRules;
import dev.upcall.io.ForwardingDisk;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk that encrypts what is written and decrypts what is read, each block by its number, in
 * slices, so that no upcall computes for long. A write is encrypted into memory of its own, because
 * readers may look at the buffer meanwhile; a write that finds none waits in line. A block that
 * holds nothing but zeros on the device was never written, or was given back, and is read as zeros.
 * Closing it closes the disk and the seal. Dispatcher's thread.
 */
final class SealedDisk extends ForwardingDisk {
  /** Blocks that are done in one upcall of their own: some 40 microseconds. */
  static final int SLICE_BLOCKS = 48;

  /** Blocks that are done in one upcall of somebody else's. */
  static final int INLINE_BLOCKS = 8;

  private final Dispatcher dispatcher;
  private final Seal seal;
  private final ScratchBlocks scratch;

  /** Writes that have no memory yet. */
  private final ArrayDeque<Job> waiting = new ArrayDeque<>();

  /** Jobs that can go on; while there is one an upcall is posted. */
  private final ArrayDeque<Job> line = new ArrayDeque<>();

  private @Nullable Xts cipher;
  private int inside;
  private @Nullable CompletionPort<Unit> closing;
  private long inlineNanos;
  private int inlineBlocks;

  /** Blocks on their way through the cipher. */
  private final class Job implements AskingPort {
    private final DiskRequest request;
    private final int blocks;
    private final long served = dispatcher.recorder().current();
    private ScratchBlocks.@Nullable Part part;
    private @Nullable BlockCipher work;

    Job(DiskRequest request) {
      this.request = request;
      this.blocks = (int) request.blocks();
    }

    boolean isRead() {
      return request instanceof DiskRequest.Read;
    }

    /** Where its blocks are and go to is known. */
    void ready(BlockCipher with) {
      work = with;
    }

    /** Goes on with so many blocks; whether all are done. */
    boolean step(int mostBlocks) {
      return Invariants.present(work, "a job that is ready").step(mostBlocks);
    }

    int left() {
      return Invariants.present(work, "a job that is ready").left();
    }

    @Override
    public void complete(Completion<Unit> completion) {
      transferred(this, completion);
    }

    @Override
    public int asker() {
      return request.asker();
    }

    @Override
    public long waitedNanos() {
      return request.waitedNanos();
    }

    @Override
    public int parts() {
      return request.parts();
    }
  }

  SealedDisk(Disk disk, Dispatcher dispatcher, Seal seal, int scratchBlocks) {
    super(disk);
    this.dispatcher = dispatcher;
    this.seal = seal;
    this.scratch = new ScratchBlocks(scratchBlocks);
  }

  @Override
  public void submit(DiskRequest request) {
    dispatcher.checkOwner();
    DiskRules.check(request);
    if (closing != null) {
      dispatcher.complete(request.port(), Completion.failed(new Failure.Closed(name())));
      return;
    }
    switch (request.operation()) {
      case READ, WRITE, DURABLE_WRITE -> transfer(request);
      case SYNC, ALLOCATE, DISCARD, SHRINK, STAT -> pass(request);
    }
  }

  private void transfer(DiskRequest request) {
    boolean isRead = request instanceof DiskRequest.Read;
    if (seal.isClear(request.firstBlock(), request.blocks())) {
      Invariants.check(isRead || seal.isOpen(), "a write to a volume whose seal is not open");
      pass(request);
      return;
    }
    Failure refusal = DiskRules.outOfRange(request, sizeBlocks());
    if (refusal != null) {
      dispatcher.complete(request.port(), Completion.failed(refusal));
      return;
    }
    Job job = new Job(request);
    inside++;
    if (isRead) {
      pass(request.as(request.ioClass(), job));
    } else {
      waiting.add(job);
      admit();
    }
  }

  /** Gives memory to those who wait for it, in their order. */
  private void admit() {
    for (Job job = waiting.peek(); job != null; job = waiting.peek()) {
      ScratchBlocks.Part part = scratch.take(job.blocks);
      if (part == null) {
        return;
      }
      waiting.remove();
      job.part = part;
      begin(job, part.buffers());
    }
  }

  private void begin(Job job, List<ByteBuffer> to) {
    job.ready(new BlockCipher(seal, cipher(), job.request, to));
    if (line.isEmpty() && takeInline(job.blocks)) {
      job.step(job.blocks);
      finish(job);
    } else {
      line.add(job);
      if (line.size() == 1) {
        dispatcher.post(this::work);
      }
    }
  }

  /** Whether the present upcall, whosever it is, may do so many blocks besides. */
  private boolean takeInline(int blocks) {
    long now = dispatcher.upcallNanos();
    if (now != inlineNanos) {
      inlineNanos = now;
      inlineBlocks = INLINE_BLOCKS;
    }
    boolean may = blocks <= inlineBlocks;
    inlineBlocks -= may ? blocks : 0;
    return may;
  }

  private void work() {
    int left = SLICE_BLOCKS;
    for (Job job = line.peek(); job != null && left > 0; job = line.peek()) {
      int before = job.left();
      boolean done = job.step(left);
      left -= before - job.left();
      if (done) {
        line.remove();
        Job finished = job;
        dispatcher.recorder().serving(job.served, () -> finish(finished));
      }
    }
    if (!line.isEmpty()) {
      dispatcher.post(this::work);
    }
  }

  /** All of its blocks went through the cipher. */
  private void finish(Job job) {
    if (job.isRead()) {
      leave(job, Completion.done());
      return;
    }
    List<ByteBuffer> sealed = Invariants.present(job.part, "memory of a write").buffers();
    pass(
        job.request instanceof DiskRequest.DurableWrite
            ? new DiskRequest.DurableWrite(
                job.request.firstBlock(), sealed, job.request.ioClass(), job)
            : new DiskRequest.Write(job.request.firstBlock(), sealed, job.request.ioClass(), job));
  }

  /** The disk has answered; an upcall. */
  private void transferred(Job job, Completion<Unit> completion) {
    if (job.isRead() && completion instanceof Completion.Done<Unit>) {
      begin(job, job.request.buffers());
    } else {
      leave(job, completion);
    }
  }

  private void leave(Job job, Completion<Unit> completion) {
    inside--;
    ScratchBlocks.Part part = job.part;
    if (part != null) {
      scratch.giveBack(part);
      admit();
    }
    job.request.port().complete(completion);
    CompletionPort<Unit> port = closing;
    if (inside == 0 && port != null) {
      end(port);
    }
  }

  private Xts cipher() {
    Xts present = cipher;
    if (present == null) {
      present = seal.newCipher();
      cipher = present;
    }
    return present;
  }

  @Override
  public void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    Invariants.check(closing == null, "closed twice");
    closing = port;
    if (inside == 0) {
      end(port);
    }
  }

  private void end(CompletionPort<Unit> port) {
    super.close(
        completion -> {
          seal.close();
          port.complete(completion);
        });
  }
}
