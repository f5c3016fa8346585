package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.drive.DriveConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Shares on a device with heads: order, turns, standing still, and what readers keep. */
class HeadSharePolicyTest {
  private static final long SERVICE_NANOS = 1_000_000;
  private static final int BLOCKS = 1_000_000;
  private static final long DRIVE_BLOCKS = 10_000_000;
  private static final long FAR = 500_000;
  private static final HeadConfig ONE_BY_ONE =
      new HeadConfig(
          1,
          HeadConfig.DEFAULT.turnNanos(),
          HeadConfig.DEFAULT.turnRequests(),
          HeadConfig.DEFAULT.waitNanos(),
          HeadConfig.DEFAULT.seekBlocks());

  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(BLOCKS).withLatency(SERVICE_NANOS, SERVICE_NANOS))
          .closesUnchecked("the blocks are no store's");
  private final List<TraceEntry> issued = new ArrayList<>();
  private final Disk disk =
      new IoScheduler(
          new TracedDisk(world.disk(), world.dispatcher(), issued::add),
          world.dispatcher(),
          new HeadSharePolicy(
              FairShareConfig.defaults().withPacing(PacingConfig.OFF),
              ONE_BY_ONE,
              world.dispatcher()),
          MergeConfig.OFF);
  private int open;

  private record Port(int asker, Runnable then) implements AskingPort {
    @Override
    public void complete(Completion<Unit> completion) {
      then.run();
    }
  }

  private Port port(int asker, Runnable then) {
    open++;
    return new Port(
        asker,
        () -> {
          open--;
          then.run();
        });
  }

  private void read(int asker, long block, Runnable then) {
    disk.submit(
        new DiskRequest.Read(
            block,
            List.of(Disk.newBuffer(Disk.BLOCK_BYTES)),
            IoClass.FOREGROUND_READ,
            port(asker, then)));
  }

  private void write(IoClass ioClass, long block) {
    disk.submit(
        new DiskRequest.Write(
            block, List.of(Disk.newBuffer(Disk.BLOCK_BYTES)), ioClass, port(0, () -> {})));
  }

  private void untilAllAreAnswered() {
    assertTrue(world.runUntil(() -> open == 0));
  }

  private List<Long> order() {
    return issued.stream().map(entry -> entry.run().block()).toList();
  }

  @Test
  void aClassGoesInTheOrderOfPlaces() {
    read(0, 500, () -> {});
    for (long block : new long[] {900, 510, 700, 300}) {
      read(0, block, () -> {});
    }
    untilAllAreAnswered();
    assertEquals(List.of(500L, 510L, 700L, 900L, 300L), order().stream().toList());
  }

  @Test
  void writesHaveTurnsBesideReads() {
    for (int i = 0; i < 400; i++) {
      write(IoClass.FOREGROUND_WRITE, FAR + 10L * i);
      read(0, 10L * i, () -> {});
    }
    untilAllAreAnswered();
    int turns = 0;
    for (int i = 1; i < 400; i++) {
      turns += issued.get(i - 1).run().block() < FAR == issued.get(i).run().block() < FAR ? 0 : 1;
    }
    long writes = issued.stream().limit(400).filter(one -> one.run().block() >= FAR).count();
    assertEquals(400 / 3.0, writes, 70, "a third of the device is theirs");
    assertTrue(turns < 40, "turns: " + turns);
  }

  @Test
  void theLogWaitsForNobody() {
    read(1, 0, () -> {});
    for (int i = 0; i < 50; i++) {
      read(2, FAR + i, () -> {});
    }
    write(IoClass.LOG, 77);
    assertEquals(List.of(0L, 77L), order());
    untilAllAreAnswered();
  }

  @Test
  void theHeadsStayWhereAReaderReadsOn() {
    long[] next = {0};
    Runnable[] goOn = new Runnable[1];
    goOn[0] =
        () -> {
          if (next[0] < 40) {
            open++;
            world
                .dispatcher()
                .schedule(
                    SERVICE_NANOS,
                    () -> {
                      open--;
                      read(1, next[0]++, goOn[0]);
                    });
          }
        };
    read(1, next[0]++, goOn[0]);
    for (int i = 0; i < 40; i++) {
      read(2, FAR + 1000L * i, () -> {});
    }
    untilAllAreAnswered();
    int strokes = 0;
    for (int i = 1; i < issued.size(); i++) {
      strokes += issued.get(i - 1).run().block() < FAR == issued.get(i).run().block() < FAR ? 0 : 1;
    }
    assertTrue(strokes <= 4, "went to and fro " + strokes + " times");
  }

  @Test
  void whatTheBackgroundAskedForIsLiftedWithItsPlaces() {
    read(0, 0, () -> {});
    for (int i = 0; i < 20; i++) {
      write(IoClass.BACKGROUND, FAR + 10L * (19 - i));
    }
    disk.submit(new DiskRequest.Sync(IoClass.BACKGROUND, port(0, () -> {})));
    disk.lift();
    untilAllAreAnswered();
    assertTrue(
        issued.stream().skip(1).allMatch(one -> one.ioClass() == IoClass.FOREGROUND_WRITE),
        issued.toString());
  }

  // ------------------------------------------------------------------ recognised

  private static List<Long> orderOnADrive(String policy, boolean rotating) {
    SimDiskConfig config = SimDiskConfig.ofBlocks(BLOCKS);
    SimWorld world =
        new SimWorld(
                3,
                rotating
                    ? config.withService(
                        DriveConfig.fast15k(DRIVE_BLOCKS)
                            .withCommands(1, DriveConfig.Order.ARRIVAL))
                    : config)
            .closesUnchecked("the blocks are no store's");
    List<Long> order = new ArrayList<>();
    TracedDisk traced =
        new TracedDisk(world.disk(), world.dispatcher(), entry -> order.add(entry.run().block()));
    Disk disk = IoPolicyConfig.parse(policy).over(traced, world.dispatcher());
    SplittableRandom random = new SplittableRandom(7);
    int[] open = {0};
    for (int i = 0; i < 64; i++) {
      open[0]++;
      disk.submit(
          new DiskRequest.Read(
              random.nextInt(BLOCKS),
              List.of(Disk.newBuffer(Disk.BLOCK_BYTES)),
              IoClass.FOREGROUND_READ,
              done -> open[0]--));
    }
    assertTrue(world.runUntil(() -> open[0] == 0));
    return order;
  }

  private static long travelled(List<Long> order) {
    long sum = 0;
    for (int i = 1; i < order.size(); i++) {
      sum += Math.abs(order.get(i) - order.get(i - 1));
    }
    return sum;
  }

  @Test
  void aDriveWithHeadsIsRecognised() {
    List<Long> asAsked = orderOnADrive("flat", /* rotating= */ true);
    assertEquals(asAsked, orderOnADrive("fair", /* rotating= */ false), "as it was asked for");
    List<Long> recognised = orderOnADrive("fair", /* rotating= */ true);
    assertEquals(recognised, orderOnADrive("rotating", /* rotating= */ true));
    assertTrue(travelled(recognised) * 4 < travelled(asAsked), "an elevator");
  }
}
