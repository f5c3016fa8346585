package dev.upcall.fileman.trees;

import dev.upcall.Upcall;
import dev.upcall.base.ThreadEnd;
import dev.upcall.fileman.trees.HostEntry.FileKey;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Imports a directory of the host into a store, or brings the store up to date with it.
 *
 * <p>An entry is up to date when size and time of change agree (for a link its target too). Files
 * that somebody changed in the store while the source stayed as it was are left alone. The state is
 * in the store, committed with each file: an import that was killed goes on where it was by being
 * run again. Names, symbolic links (never followed), times, modes and owners are kept; what cannot
 * be kept is reported. What fails, or is stopped, gives back what it has read and not committed; of
 * large files that do not all fit those are kept that come first.
 *
 * <p>A walker thread compares, another lists the store ahead of it, a few reader threads read
 * files, the calling thread commits. Memory is bounded by {@link #WINDOW_STEPS} files of 64 KiB,
 * the names of one directory and a few pages of the store's; larger files stream.
 */
final class DirectoryImport {
  private static final int WINDOW_STEPS = 128;

  private final Upcall store;
  private final ImportOptions options;
  private final TransferRun run;
  private final StagingRoom room = new StagingRoom();

  /** Whether a step was given up because somebody wants the end; the committing thread's. */
  private boolean cutShort;

  /** Whether the committing thread was interrupted, which is kept for its caller. */
  private boolean interrupted;

  private final AtomicBoolean given = new AtomicBoolean();
  private final BlockingQueue<ImportStep> steps = new ArrayBlockingQueue<>(WINDOW_STEPS);

  DirectoryImport(Upcall store, ImportOptions options, TransferRun run) {
    this.store = store;
    this.options = options;
    this.run = run;
  }

  private boolean isStopped() {
    return given.get() || run.isStopped();
  }

  /**
   * Imports; everything is durable when it returns.
   *
   * @throws IOException when the source itself cannot be read
   * @throws dev.upcall.UpcallException what ends an import, such as a full volume; what was
   *     committed until then stays, and nothing else
   */
  TreeSummary run() throws IOException {
    ImportOptions real =
        new ImportOptions(
            options.source().toRealPath(),
            options.into(),
            options.gone(),
            options.excluded(),
            options.readers());
    long source = ImportMark.sourceId(real.source(), real.into());
    if (!real.into().isRoot()) {
      store.createDirectories(real.into());
    }
    nameSource(source, real.source());
    SourceWalk.Setting setting =
        new SourceWalk.Setting(
            store, real, source, keys(real.excluded()), room, run, this::isStopped);
    Thread scan =
        Thread.ofPlatform().daemon().name("import scan").unstarted(() -> scan(real.source()));
    ExecutorService readers =
        Executors.newFixedThreadPool(
            real.readers(), Thread.ofPlatform().daemon().name("import reader ", 0).factory());
    Walker walker = new Walker(setting, readers, scan);
    Thread walking = Thread.ofPlatform().daemon().name("import walk").start(walker);
    try {
      commitAll();
      ThreadEnd.await(walking);
    } finally {
      given.set(true);
      readers.shutdown();
      scan.interrupt();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    boolean early = walker.outcome() || cutShort;
    store.flush();
    return run.summary(early);
  }

  private void commitAll() {
    ImportCommitter committer = new ImportCommitter(store, run, room);
    boolean ended = false;
    try {
      for (ImportStep step = next(committer); !step.isEnd(); step = next(committer)) {
        ImportStep added = step;
        untilStopped(() -> committer.add(added));
        if (committer.isFull()) {
          given.set(true);
        }
      }
      ended = true;
      untilStopped(committer::finish);
    } finally {
      given.set(true);
      committer.abandon();
      while (!ended) {
        ImportStep step = take();
        ended = step.isEnd();
        committer.discard(step);
      }
    }
  }

  private ImportStep next(ImportCommitter committer) {
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
      given.set(true);
    }
  }

  private ImportStep take() {
    while (true) {
      try {
        return steps.take();
      } catch (InterruptedException during) {
        interrupted = true;
        cutShort = true;
        given.set(true);
      }
    }
  }

  private void nameSource(long source, Path directory) {
    byte[] name = directory.toString().getBytes(StandardCharsets.UTF_8);
    byte[] kept = Arrays.copyOf(name, Math.min(name.length, 1024));
    String property = ImportMark.propertyName(source);
    if (store.property(property).filter(known -> Arrays.equals(known, kept)).isEmpty()) {
      store.setProperty(property, kept);
    }
  }

  private static Set<FileKey> keys(Iterable<Path> files) throws IOException {
    Set<FileKey> keys = new LinkedHashSet<>();
    for (Path file : files) {
      if (Files.exists(file)) {
        keys.add(HostEntry.of(file.toRealPath()).key());
      }
    }
    return keys;
  }

  /**
   * Counts what there is, so that the time left can be told; its errors are the walk's to report.
   */
  private void scan(Path source) {
    long[] found = new long[2];
    try {
      Files.walkFileTree(
          source,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
              found[0]++;
              return isStopped() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
              found[0]++;
              found[1] += attributes.isRegularFile() ? attributes.size() : 0;
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException error) {
              return FileVisitResult.CONTINUE;
            }
          });
      run.progress().totals(found[0] - 1, found[1]);
    } catch (IOException unreadable) {
      // Without totals no time left is shown.
      return;
    }
  }

  /** The walk on its thread. */
  private final class Walker implements Runnable {
    private final SourceWalk.Setting setting;
    private final ExecutorService readers;
    private final Thread scan;
    private boolean early;
    private @Nullable IOException unreadable;
    private @Nullable RuntimeException failure;

    /** The scan looks at all entries once more: it begins when there is a file to be read. */
    Walker(SourceWalk.Setting setting, ExecutorService readers, Thread scan) {
      this.setting = setting;
      this.readers = readers;
      this.scan = scan;
    }

    @Override
    public void run() {
      try (StoreLookAhead ahead = new StoreLookAhead(setting.store())) {
        new SourceWalk(setting, ahead, this::emit).run();
      } catch (StoppedException asked) {
        early = true;
      } catch (IOException error) {
        unreadable = error;
      } catch (RuntimeException error) {
        failure = error;
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
      return early;
    }

    private void emit(ImportStep step) {
      if (isStopped()) {
        throw new StoppedException();
      }
      put(step);
      if (step.task() != null) {
        if (scan.getState() == Thread.State.NEW) {
          scan.start();
        }
        readers.execute(step.task());
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
