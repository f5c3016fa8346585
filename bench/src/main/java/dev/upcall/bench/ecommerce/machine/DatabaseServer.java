package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Draws;
import dev.upcall.bench.ecommerce.Step;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.io.Disk;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSink;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimClock;
import dev.upcall.sim.SimReactor;
import dev.upcall.sim.TimedDisk;
import dev.upcall.sim.drive.DriveConfig;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A database server with its clients, in virtual time: the same plan gives the same result on every
 * machine. Clients draw from one stream in the order in which they begin.
 */
public final class DatabaseServer implements Server {
  /** The paper's drive. */
  private static final double DRIVE_BYTES = 73e9;

  /** What our store has free beside its pages: a quarter of them. */
  private static final int FREE_PART = 4;

  private static final int COMMAND_DEPTH = 4;

  /** Pages that were asked for before, as a multiple of memory, and interactions at most. */
  private static final int FILLED_TIMES = 8;

  private static final int MOST_BEFORE = 100_000;

  private final RunPlan plan;
  private final TraceSink recorder;
  private final SimClock clock = new SimClock();
  private final Dispatcher dispatcher;
  private final Workload workload;
  private final Clientele clientele;
  private final Traffic traffic;
  private final PageCache cache;
  private final CommitLog log;
  private final Front front;

  private DatabaseServer(RunPlan plan, TraceSink recorder) {
    this.plan = plan;
    this.recorder = recorder;
    SimReactor reactor = new SimReactor(clock);
    this.dispatcher =
        new Dispatcher(clock, reactor, DispatcherConfig.defaults().withRecordsKept(0));
    dispatcher.adopt();
    this.workload = plan.kind().load(plan.mix(), plan.length().scale());
    Times times = plan.server().times();
    this.clientele = new Clientele(workload, times, plan.length().seed());
    long end = workload.endPage();
    Journal journal = plan.setting().journal();
    long tablesEnd = journal == Journal.LOG ? end + end / FREE_PART : end;
    PagePlaces places = journal == Journal.LOG ? new PagePlaces((int) end, (int) tablesEnd) : null;
    long blocks = tablesEnd + CommitLog.PAGES;
    LongUnaryOperator pages = places == null ? block -> block : block -> places.page((int) block);
    Traffic.Span span = new Traffic.Span(blocks, tablesEnd + CommitLog.LOG_PAGES);
    this.traffic = new Traffic(workload, pages, span, plan.length().warmUpNanos());
    Disk disk = scheduled(reactor, blocks);
    this.cache = new PageCache(plan.server().cache(), new PageIo(disk, places), dispatcher, end);
    this.log = new CommitLog(journal, new PageIo(disk), dispatcher, tablesEnd);
    this.front = Front.of(dispatcher, times, plan.server().inside());
  }

  private Disk scheduled(SimReactor reactor, long blocks) {
    double driveBlocks = DRIVE_BYTES / Disk.BLOCK_BYTES * plan.length().scale();
    DriveConfig drive = DriveConfig.fast15k((long) driveBlocks);
    TimedDisk device =
        new TimedDisk(
            "15,000 rpm",
            blocks,
            dispatcher,
            drive.start(reactor, clock, new SplittableRandom(plan.length().seed())));
    return new IoScheduler(
        new TracedDisk(device, dispatcher, this::issued),
        dispatcher,
        plan.setting().policy().over(dispatcher, COMMAND_DEPTH),
        MergeConfig.DEFAULT);
  }

  /** The memory holds what was asked for before: a multiple of what fits, without any time. */
  private void fillMemory() {
    RandomGenerator before = Draws.stream(plan.length().seed(), "before", 0);
    long left = (long) FILLED_TIMES * cache.capacity();
    for (int i = 0; i < MOST_BEFORE && left > 0; i++) {
      for (Step step : workload.next(before).steps()) {
        for (int page = 0; page < step.pages(); page++) {
          cache.fill(step.page() + page);
          left--;
        }
      }
    }
  }

  /** A request goes to the drive. */
  private void issued(TraceEntry entry) {
    traffic.record(entry);
    if (entry.timeNanos() >= plan.length().warmUpNanos()) {
      recorder.record(entry);
    }
  }

  /** Runs a plan. */
  public static RunResult run(RunPlan plan) {
    return run(plan, entry -> {});
  }

  /** The same; all that is issued to the drive once it counts is recorded besides. */
  public static RunResult run(RunPlan plan, TraceSink recorder) {
    DatabaseServer server = new DatabaseServer(plan, recorder);
    server.fillMemory();
    server.clientele.come(server, plan.clients());
    server.clientele.count(plan.length().warmUpNanos(), nanos -> {});
    server.turnUntil(plan.length().warmUpNanos() + plan.length().nanos());
    return server.result();
  }

  private void turnUntil(long nanos) {
    while (clock.monotonicNanos() < nanos) {
      dispatcher.turn(/* mayWait= */ true);
    }
  }

  private RunResult result() {
    return new RunResult(
        plan,
        traffic.profile(),
        traffic.places(),
        clientele.answers(plan.length().nanos()),
        clientele.selfCheck());
  }

  @Override
  public Dispatcher dispatcher() {
    return dispatcher;
  }

  @Override
  public Clientele clientele() {
    return clientele;
  }

  @Override
  public Front front() {
    return front;
  }

  @Override
  public boolean read(long page, Reader reader, Runnable then) {
    return cache.read(page, workload.tableOf(page), reader, then);
  }

  @Override
  public void change(long page) {
    cache.change(page);
  }

  @Override
  public void commit(int bytes, Runnable then) {
    if (plan.server().isLogged()) {
      log.commit(bytes, then);
    } else {
      log.changed();
      then.run();
    }
  }
}
