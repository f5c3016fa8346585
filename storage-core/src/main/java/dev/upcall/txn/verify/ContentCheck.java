package dev.upcall.txn.verify;

import dev.upcall.base.Checksums;
import dev.upcall.coding.Coding;
import dev.upcall.coding.StoredUnit;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads content and compares it with its checksums, one run at a time. Dispatcher's thread. */
final class ContentCheck {
  private final Disk disk;
  private final ArrayDeque<CheckedState.Run> unread;
  private final ByteBuffer bytes = Disk.newBuffer(ExtentEntry.MAX_BLOCKS * Disk.BLOCK_BYTES);
  private final ByteBuffer decoded = Disk.newBuffer(StoredUnit.MAX_BLOCKS * Disk.BLOCK_BYTES);
  private final Coding coding;
  private long blocksRead;

  /** The run that is being read, what hears of its damage, and what goes on behind it. */
  private record Reading(CheckedState.Run run, BlockLedger ledger, Runnable next) {
    int blocks() {
      return run.entry().checksums().length;
    }

    long block(int at) {
      return run.entry().extent().block() + at;
    }
  }

  /**
   * Nothing read.
   *
   * @param coding decodes units
   * @param unread takes what is left of a run that is too long to be read at once
   */
  ContentCheck(Disk disk, Coding coding, ArrayDeque<CheckedState.Run> unread) {
    this.disk = disk;
    this.coding = coding;
    this.unread = unread;
  }

  /** How many blocks were read. */
  long blocksRead() {
    return blocksRead;
  }

  /**
   * Reads a run unless that cannot be, or was done for another owner. Then damage that was found is
   * this owner's, too.
   *
   * @param next runs when it was read
   * @return whether it is being read; else nothing will run
   */
  boolean begin(CheckedState.Run run, BlockLedger ledger, Runnable next) {
    if (!ledger.isInside(run.entry().extent())) {
      return false;
    }
    if (run.known()) {
      sharesDamage(run, ledger);
      return false;
    }
    ExtentEntry entry = run.entry();
    if (entry.checksums().length <= ExtentEntry.MAX_BLOCKS) {
      read(new Reading(run, ledger, next));
    } else {
      long end = entry.logicalBlock() + ExtentEntry.MAX_BLOCKS;
      unread.addFirst(part(run, end, entry.logicalEnd()));
      read(new Reading(part(run, entry.logicalBlock(), end), ledger, next));
    }
    return true;
  }

  private static CheckedState.Run part(CheckedState.Run run, long from, long end) {
    return new CheckedState.Run(run.owner(), run.entry().slice(from, end), run.known());
  }

  private static void sharesDamage(CheckedState.Run run, BlockLedger ledger) {
    Extent extent = run.entry().extent();
    for (long block = extent.block(); block < extent.end(); block++) {
      if (ledger.isDamaged(block)) {
        ledger.damage(block, ": the block is shared, and damaged", run);
      }
    }
  }

  private void read(Reading reading) {
    submit(
        reading.block(0),
        bytes.clear().limit(reading.blocks() * Disk.BLOCK_BYTES),
        failure -> {
          if (failure == null) {
            for (int i = 0; i < reading.blocks(); i++) {
              compare(reading, i, bytes.slice(i * Disk.BLOCK_BYTES, Disk.BLOCK_BYTES));
            }
            end(reading);
          } else {
            readEach(reading, 0);
          }
        });
  }

  /** Reads the blocks of a run alone, of which the device could not read all. */
  private void readEach(Reading reading, int at) {
    if (at == reading.blocks()) {
      blocksRead += reading.blocks(); // some could not be read, and are no unit
      reading.next().run();
      return;
    }
    submit(
        reading.block(at),
        bytes.clear().limit(Disk.BLOCK_BYTES),
        failure -> {
          if (failure == null) {
            compare(reading, at, bytes.slice(0, Disk.BLOCK_BYTES));
          } else {
            reading
                .ledger()
                .damage(reading.block(at), " is unreadable: " + failure.message(), reading.run());
          }
          readEach(reading, at + 1);
        });
  }

  private void end(Reading reading) {
    blocksRead += reading.blocks();
    if (reading.run().entry() instanceof ExtentEntry.Coded coded && isWhole(reading)) {
      decode(reading, coded.unit());
    } else {
      reading.next().run();
    }
  }

  private static boolean isWhole(Reading reading) {
    for (int i = 0; i < reading.blocks(); i++) {
      if (reading.ledger().isDamaged(reading.block(i))) {
        return false;
      }
    }
    return true;
  }

  /** Blocks with the right checksums may still be no unit; without its codec nobody can tell. */
  private void decode(Reading reading, StoredUnit unit) {
    ByteBuffer into = decoded.slice(0, unit.blocks() * Disk.BLOCK_BYTES);
    String device = disk.name();
    coding
        .workers()
        .compute(
            "decoding",
            1,
            () -> coding.codecs().decode(unit, device, bytes, into),
            completion -> {
              if (completion instanceof Completion.Failed<Unit>(Failure.Corrupt _)) {
                reading.ledger().damage(reading.block(0), ": it does not decode", reading.run());
              }
              reading.next().run();
            });
  }

  private static void compare(Reading reading, int at, ByteBuffer block) {
    int expected = reading.run().entry().checksums()[at];
    int found = Checksums.crc32c(block);
    if (found != expected) {
      reading
          .ledger()
          .damage(
              reading.block(at),
              ": checksum %x expected, %x found".formatted(expected, found),
              reading.run());
    }
  }

  private void submit(long block, ByteBuffer into, Consumer<@Nullable Failure> then) {
    disk.submit(
        new DiskRequest.Read(
            block,
            List.of(into),
            IoClass.BACKGROUND,
            completion ->
                then.accept(
                    completion instanceof Completion.Failed<Unit> failed
                        ? failed.failure()
                        : null)));
  }
}
