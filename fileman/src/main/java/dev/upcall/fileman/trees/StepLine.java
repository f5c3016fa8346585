package dev.upcall.fileman.trees;

import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.base.ThreadEnd;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.fileman.trees.host.HostWork;
import dev.upcall.fileman.trees.host.StoppedException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How steps come into a store, side by side and yet in their order: a walker thread finds them, a
 * few reader threads prepare what has to be read, the thread that calls {@link #run} commits them
 * as they were found, many in one batch. What fails, or is stopped, gives back what was read and
 * not committed. Memory is bounded by {@link #WINDOW_STEPS} files of {@link #SMALL_BYTES}; larger
 * files stream. Used once.
 */
final class StepLine {
  /** Files up to this size ride in a batch, larger ones are staged before. */
  static final int SMALL_BYTES = 64 << 10;

  /** Steps that were found and not yet committed. */
  static final int WINDOW_STEPS = 128;

  /** A walk calls itself for each directory in another, and a path may have a thousand names. */
  private static final long WALK_STACK_BYTES = 16L << 20;

  private final Upcall store;
  private final TransferRun run;
  private final String name;
  private final int readers;
  private final LargeContent stage;
  private final StagingRoom room = new StagingRoom();
  private final BlockingQueue<ImportStep> steps = new ArrayBlockingQueue<>(WINDOW_STEPS);

  /** Whether nothing more is to be found or read: it has ended, or the volume is full. */
  private volatile boolean given;

  /** Whether a step was given up because somebody wants the end; the committing thread's. */
  private boolean cutShort;

  /** Whether the committing thread was interrupted, which is kept for its caller. */
  private boolean interrupted;

  /** Finds the steps, on the walker's thread. */
  interface Finder {
    /** Gives each step to the consumer, which waits while too many are on their way. */
    void find(Consumer<ImportStep> steps) throws IOException;
  }

  /**
   * How a file is read.
   *
   * @param check asked with each read; throws to end it
   * @param stage what takes content that is too large to ride in a batch
   */
  record Way(Runnable check, LargeContent stage) {}

  /** Reads one file. */
  interface Reading {
    Prepared read(Way way) throws IOException;
  }

  /**
   * Nothing is on its way.
   *
   * @param name of what is done, for its threads
   * @param readers threads that prepare steps
   */
  StepLine(Upcall store, TransferRun run, String name, int readers) {
    this.store = store;
    this.run = run;
    this.name = name;
    this.readers = readers;
    this.stage = LargeContent.of(store);
  }

  /** Whether to find and read no more. Any thread. */
  boolean isStopped() {
    return given || run.isStopped();
  }

  /** Leaves the work when there is to be no more of it. Any thread. */
  void check() {
    if (isStopped()) {
      throw new StoppedException();
    }
  }

  /**
   * Reads one file beside others. Reader's thread.
   *
   * @param sizeBytes as it was seen: one that is larger by now is read again alone
   * @throws StagingRoom.ReadAloneException if it is to be read with {@link #alone}
   */
  Prepared beside(long sizeBytes, Reading reading) throws IOException {
    if (sizeBytes <= SMALL_BYTES) {
      return reading.read(new Way(this::check, StepLine::refuseToStage));
    }
    Way way = new Way(this::checkBeside, stage);
    return room.beside(() -> reading.read(way));
  }

  /** Reads one file while nobody else does. Committing thread. */
  Prepared alone(Reading reading) throws IOException {
    return reading.read(new Way(this::check, stage));
  }

  private void checkBeside() {
    check();
    room.check();
  }

  /** A file that is larger than was seen: nobody else knows that it is under way. */
  private static StagedContent refuseToStage(
      InputStream content, StorePath target, MetadataChange metadata) {
    throw new StagingRoom.ReadAloneException();
  }

  /**
   * Has steps found, prepared and committed; all that was committed is visible when it returns.
   *
   * @return whether something was left undone because somebody wants the end
   * @throws IOException what the finder ended with
   * @throws dev.upcall.UpcallException what ends the whole, such as a full volume; what was
   *     committed until then stays, and nothing else
   */
  boolean run(Finder finder) throws IOException {
    ThreadFactory threads = Thread.ofPlatform().daemon().name(name + " reader ", 0).factory();
    ExecutorService reading = Executors.newFixedThreadPool(readers, threads);
    Walker walker = new Walker(finder, reading);
    Thread walking =
        Thread.ofPlatform().daemon().name(name + " walk").stackSize(WALK_STACK_BYTES).start(walker);
    try {
      commitAll();
      ThreadEnd.await(walking);
    } finally {
      given = true;
      reading.shutdown();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return walker.outcome() || cutShort;
  }

  private void commitAll() {
    ImportCommitter committer = new ImportCommitter(store, run, room);
    boolean ended = false;
    try {
      for (ImportStep step = next(committer); !step.isEnd(); step = next(committer)) {
        ImportStep added = step;
        untilStopped(() -> committer.add(added));
        if (committer.isFull()) {
          given = true;
        }
      }
      ended = true;
      untilStopped(committer::finish);
    } finally {
      given = true;
      committer.abandon();
      while (!ended) {
        ImportStep step = take();
        ended = step.isEnd();
        committer.discard(step);
      }
    }
  }

  private ImportStep next(ImportCommitter committer) {
    if (Thread.interrupted()) {
      endByInterrupt();
    }
    ImportStep step = steps.poll();
    if (step == null) {
      untilStopped(committer::flush);
      step = take();
    }
    return step;
  }

  private void untilStopped(Runnable work) {
    try {
      work.run();
    } catch (StoppedException asked) {
      cutShort = true;
      given = true;
    }
  }

  private ImportStep take() {
    while (true) {
      try {
        return steps.take();
      } catch (InterruptedException during) {
        endByInterrupt();
      }
    }
  }

  private void endByInterrupt() {
    interrupted = true;
    cutShort = true;
    given = true;
  }

  /** The walk on its thread. */
  private final class Walker implements Runnable {
    private final Finder finder;
    private final ExecutorService reading;
    private boolean early;
    private @Nullable IOException unreadable;
    private @Nullable RuntimeException failure;
    private @Nullable Error broken;

    Walker(Finder finder, ExecutorService reading) {
      this.finder = finder;
      this.reading = reading;
    }

    @Override
    public void run() {
      try {
        finder.find(this::emit);
      } catch (StoppedException asked) {
        early = true;
      } catch (IOException error) {
        unreadable = error;
      } catch (RuntimeException error) {
        failure = error;
      } catch (Error error) {
        // Out of memory or of stack, say: what it has not found must not look as if all was done.
        broken = error;
      } finally {
        put(ImportStep.end());
      }
    }

    /** How the walk ended, once its thread has: whether early, or its error. */
    boolean outcome() throws IOException {
      if (unreadable != null) {
        throw unreadable;
      }
      if (failure != null) {
        throw failure;
      }
      if (broken != null) {
        throw broken;
      }
      return early;
    }

    private void emit(ImportStep step) {
      check();
      put(step);
      if (step.task() != null) {
        HostWork.execute(reading, step.task());
      }
    }

    private void put(ImportStep step) {
      while (true) {
        try {
          steps.put(step);
          return;
        } catch (InterruptedException nobodyDoes) {
          early = true;
        }
      }
    }
  }
}
