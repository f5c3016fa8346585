package dev.upcall.segment;

import dev.upcall.buffer.BufferManager;
import dev.upcall.buffer.Lease;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.CodingMeter;
import dev.upcall.coding.StoredUnit;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.config.Compression;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.UnitCodec;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Codes the runs of one piece of new content, one after the other, on a helper thread. A unit stays
 * as it is where coding does not save a block and an eighth, and where there is no memory for the
 * coded form; after two in a row that did not shrink the next 1, 2, 4, up to 64 units are not
 * tried, so that content that cannot be compressed costs little. Behind content that ended so, it
 * is up to 16 at once, and without a try where the first block looks as if it were coded already.
 * Dispatcher's thread only.
 */
final class UnitCoder {
  private static final LeaseOwner OWNER = new LeaseOwner("compressed content", 0);
  private static final int MISSES = 2;
  private static final int MOST_UNTRIED = 64;

  /** A MiB, so that content that shrinks later loses no more. */
  private static final int MOST_UNTRIED_FIRST = 16;

  /** A quarter more than the squares of how often each byte is in a block of random bytes. */
  private static final int EVEN_SQUARES =
      (Disk.BLOCK_BYTES + Disk.BLOCK_BYTES * (Disk.BLOCK_BYTES / 256)) * 5 / 4;

  /** Four times as many as in a block of random bytes. */
  private static final int MOST_REPEATED = 4 * Disk.BLOCK_BYTES / 256;

  private final Dispatcher dispatcher;
  private final BufferManager buffers;
  private final UnitCodec codec;
  private final Compression degree;
  private final int unitBlocks;
  private final StagerParts.Lately lately;
  private Luck luck;

  /**
   * Of new content.
   *
   * @param parts with a compression that is more than none
   */
  UnitCoder(StagerParts parts, UnitCodec codec) {
    this.dispatcher = parts.dispatcher();
    this.buffers = parts.buffers();
    this.codec = codec;
    this.degree = parts.compression();
    this.unitBlocks = parts.codecs().unitBlocks();
    this.lately = parts.lately();
    this.luck = new Luck(0, 0, Math.min(MOST_UNTRIED_FIRST, lately.untried()));
  }

  /** The counters of its units' outcomes. */
  CodingMeter meter() {
    return buffers.coding().meter();
  }

  /** The number of its codec. */
  int codec() {
    return codec.number();
  }

  /**
   * A unit of a run.
   *
   * @param bytes its content: whole blocks
   * @param memory for the coded form; null: it is not tried
   */
  private record Try(ByteBuffer bytes, @Nullable Lease memory) {
    int blocks() {
      return bytes.remaining() / Disk.BLOCK_BYTES;
    }
  }

  /**
   * A unit as it will be stored.
   *
   * @param bytes whole blocks: of the content, or of the coded form with zeros behind it
   * @param blocks how many blocks of content
   * @param storedBytes of the coded form; 0: it is stored as it is
   */
  record Made(ByteBuffer bytes, int blocks, int storedBytes) {
    int storedBlocks() {
      return bytes.remaining() / Disk.BLOCK_BYTES;
    }

    boolean isCoded() {
      return storedBytes > 0;
    }
  }

  /**
   * The outcome of a run.
   *
   * @param units all of them, in order
   * @param memory of the coded ones, which the caller releases
   */
  record Coded(List<Made> units, List<Lease> memory) {
    boolean isAny() {
      return !memory.isEmpty();
    }

    int storedBlocks() {
      return units.stream().mapToInt(Made::storedBlocks).sum();
    }
  }

  /**
   * The experience with earlier units, which decides about the next.
   *
   * @param misses how many in a row did not shrink
   * @param untried how many more are not tried
   * @param next how many will not be after the next miss
   */
  private record Luck(int misses, int untried, int next) {
    /** Whether nothing was tried, and what came before ended as not shrinking. */
    boolean isFirst() {
      return misses == 0 && next >= MOST_UNTRIED_FIRST;
    }

    Luck passed() {
      return new Luck(misses, untried - 1, next);
    }

    Luck hit() {
      return new Luck(0, 0, 1);
    }

    Luck missed() {
      return misses + 1 < MISSES ? new Luck(misses + 1, 0, next) : givenUp();
    }

    /** The next ones are not tried, and neither are more after one more miss. */
    Luck givenUp() {
      return new Luck(MISSES - 1, next, Math.min(MOST_UNTRIED, 2 * next));
    }
  }

  private record Work(List<Made> units, Luck luck) {}

  /**
   * Codes a run, whose frames must not change until the completion. One run at a time. Failures:
   * {@code Unsupported}, {@code Busy}.
   */
  void code(DataRun run, CompletionPort<Coded> port) {
    if (luck.isFirst() && looksCoded(run.leases().getFirst().buffer())) {
      luck = luck.givenUp();
    }
    List<Try> tries = tries(run);
    Luck before = luck;
    if (tries.stream().anyMatch(each -> each.memory() != null)) {
      buffers
          .coding()
          .workers()
          .compute(
              "compressing",
              tries.size(),
              () -> work(tries, before),
              made -> over(tries, made, port));
    } else {
      // Nothing to do, which no thread is needed for.
      Completion<Work> work = Completion.done(tried(tries, before));
      dispatcher.post(() -> over(tries, work, port));
    }
  }

  /**
   * Whether in the first block all bytes are about equally frequent, and few come twice in a row.
   */
  private static boolean looksCoded(ByteBuffer bytes) {
    int[] counts = new int[256];
    int repeated = 0;
    int before = -1;
    for (int i = 0; i < Disk.BLOCK_BYTES; i++) {
      int present = bytes.get(bytes.position() + i) & 0xff;
      counts[present]++;
      repeated += present == before ? 1 : 0;
      before = present;
    }
    int squares = 0;
    for (int count : counts) {
      squares += count * count;
    }
    return squares <= EVEN_SQUARES && repeated <= MOST_REPEATED;
  }

  private List<Try> tries(DataRun run) {
    List<Try> tries = new ArrayList<>();
    int left = run.blocks();
    for (Lease lease : run.leases()) {
      int held = Math.min(left, lease.blocks());
      left -= held;
      ByteBuffer bytes = lease.buffer();
      for (int from = 0; from < held; from += unitBlocks) {
        int blocks = Math.min(unitBlocks, held - from);
        int at = bytes.position() + from * Disk.BLOCK_BYTES;
        boolean isTried = blocks > 1 && tries.size() >= luck.untried();
        tries.add(
            new Try(bytes.slice(at, blocks * Disk.BLOCK_BYTES), isTried ? memory(blocks) : null));
      }
    }
    return tries;
  }

  private @Nullable Lease memory(int blocks) {
    int most = StoredUnit.mostStoredBytes(blocks) / Disk.BLOCK_BYTES;
    return buffers.tryAllocate(most, OWNER);
  }

  /** On a helper thread. */
  private Completion<Work> work(List<Try> tries, Luck before) {
    Optional<Failure> refusal = Codecs.refusesContent(codec);
    return refusal.isPresent()
        ? Completion.failed(refusal.get())
        : Completion.done(tried(tries, before));
  }

  private Work tried(List<Try> tries, Luck before) {
    List<Made> units = new ArrayList<>(tries.size());
    Luck present = before;
    for (Try each : tries) {
      Lease memory = each.memory();
      Made made = new Made(each.bytes(), each.blocks(), 0);
      if (present.untried() > 0) {
        present = present.passed();
      } else if (memory != null) {
        made = coded(each, memory);
        present = made.isCoded() ? present.hit() : present.missed();
      }
      units.add(made);
    }
    return new Work(units, present);
  }

  private Made coded(Try unit, Lease memory) {
    ByteBuffer whole = memory.buffer();
    ByteBuffer into = whole.slice(whole.position(), StoredUnit.mostStoredBytes(unit.blocks()));
    int bytes = codec.encode(unit.bytes(), into, degree);
    if (bytes == 0) {
      return new Made(unit.bytes(), unit.blocks(), 0);
    }
    int stored = StoredUnit.blocksOf(bytes) * Disk.BLOCK_BYTES;
    DataRun.zero(into, bytes, stored);
    return new Made(into.slice(0, stored), unit.blocks(), bytes);
  }

  private void over(List<Try> tries, Completion<Work> work, CompletionPort<Coded> port) {
    switch (work) {
      case Completion.Failed<Work> failed -> {
        tries.forEach(each -> release(each.memory()));
        port.complete(failed.cast());
      }
      case Completion.Done<Work>(Work done) -> {
        luck = done.luck();
        lately.note(luck.next());
        port.complete(Completion.done(new Coded(done.units(), kept(tries, done.units()))));
      }
    }
  }

  /** The memory of coded units; that of others is released. */
  private static List<Lease> kept(List<Try> tries, List<Made> units) {
    List<Lease> kept = new ArrayList<>();
    for (int i = 0; i < tries.size(); i++) {
      Lease memory = tries.get(i).memory();
      if (memory != null && units.get(i).isCoded()) {
        kept.add(memory);
      } else {
        release(memory);
      }
    }
    return kept;
  }

  private static void release(@Nullable Lease memory) {
    if (memory != null) {
      memory.release();
    }
  }
}
