package dev.upcall.txn.log;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** What opening a volume and scanning its log gave, and the judge of it. */
public record LogRecovery(Superblock superblock, List<LogRecord> records, LogState state) {

  /** What recovery refused to believe. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    Refused(Failure failure) {
      super(failure.message());
      this.failure = failure;
    }

    public Failure failure() {
      return failure;
    }
  }

  /** Opens and scans; {@link Refused} for a typed failure. */
  public static LogRecovery of(SimWorld world, Faults faults) {
    Superblocks superblocks = new Superblocks(world.dispatcher(), world.disk());
    Superblock superblock = value(world.await(port -> open(superblocks, port)));
    return scan(world, superblock, superblock.scn(), faults);
  }

  /** Reads the superblocks and heals them. */
  public static void open(Superblocks superblocks, CompletionPort<Superblock> port) {
    superblocks.read(
        superblock -> null,
        completion -> {
          if (completion instanceof Completion.Done<Superblock>) {
            superblocks.heal(
                healed ->
                    port.complete(
                        healed instanceof Completion.Failed<Unit> failed
                            ? failed.cast()
                            : completion));
          } else {
            port.complete(completion);
          }
        });
  }

  /** Scans as if a superblock that differs from this one in its SCN only had been found. */
  static LogRecovery of(SimWorld world, Superblock superblock, long scn) {
    return scan(world, superblock, scn, Faults.NONE);
  }

  private static LogRecovery scan(SimWorld world, Superblock superblock, long scn, Faults faults) {
    LogScan scan =
        new LogScan(LogWorkload.environment(world, superblock, faults), superblock.log(), scn);
    List<LogRecord> records = new ArrayList<>();
    while (true) {
      switch (LogRecovery.<LogScan.Step>value(world.await(scan::next))) {
        case LogScan.Step.Replay(LogRecord record) -> {
          records.add(record);
          // Both ways to the next one.
          if (record.scn() % 2 == 0) {
            takeWhatIsInMemory(scan, records);
          }
        }
        case LogScan.Step.End(LogState state) -> {
          return new LogRecovery(superblock, records, state);
        }
      }
    }
  }

  private static void takeWhatIsInMemory(LogScan scan, List<LogRecord> records) {
    for (LogRecord record = scan.poll(); record != null; record = scan.poll()) {
      records.add(record);
    }
  }

  public static <T> T value(Completion<T> completion) {
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T>(Failure failure) -> throw new Refused(failure);
    };
  }

  /** Compares with what was promised, and makes the model that of the recovered store. */
  void judge(LogWorkload.Model model, DiskImage image) {
    require(
        superblock.sequence() >= model.checkpointSequence
            && superblock.sequence() <= model.triedSequence,
        "superblock %d, last durable %d, last tried %d",
        superblock.sequence(),
        model.checkpointSequence,
        model.triedSequence);
    long scn = superblock.scn();
    for (LogRecord record : records) {
      require(record.scn() == scn + 1, "record %d after %d", record.scn(), scn);
      scn = record.scn();
      LogWorkload.Appended appended = model.records.get(scn);
      require(appended != null, "record %d was never appended", scn);
      byte[] bytes = new byte[record.bytes().remaining()];
      record.bytes().get(record.bytes().position(), bytes);
      require(Arrays.equals(bytes, appended.bytes()), "record %d has other bytes", scn);
      require(record.named().equals(appended.named()), "record %d names other extents", scn);
      for (NamedExtent named : record.named()) {
        judgeExtent(named, image, scn);
      }
    }
    require(scn >= model.promisedScn, "only up to %d, promised %d", scn, model.promisedScn);
    require(state.lastScn() == scn, "state says %d, records %d", state.lastScn(), scn);
    require(
        state.trimmedPosition() == superblock.log().position(),
        "trimmed at %d",
        state.trimmedPosition());
    model.records.tailMap(scn, false).clear();
    model.lastScn = scn;
    model.promisedScn = scn;
    model.checkpointScn = superblock.scn();
    model.checkpointSequence = superblock.sequence();
    model.triedSequence = superblock.sequence();
  }

  private static void judgeExtent(NamedExtent named, DiskImage image, long scn) {
    for (int i = 0; i < named.crcs().length; i++) {
      CRC32C crc = new CRC32C();
      crc.update(image.read(named.extent().block() + i), 0, Disk.BLOCK_BYTES);
      require((int) crc.getValue() == named.crcs()[i], "record %d stands on bad content", scn);
    }
  }

  private static void require(boolean fact, String message, Object... values) {
    if (!fact) {
      throw new AssertionError(message.formatted(values));
    }
  }
}
