package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.base.HostWords;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.fileman.trees.host.ExcludedFiles;
import dev.upcall.fileman.trees.host.HostWork;
import dev.upcall.fileman.trees.host.StoppedException;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Exports a tree of a store into a directory of the host: content, symbolic links as they are,
 * times and modes. The entries of a table become lines of JSON in a file of its own, {@code
 * NAME.table.jsonl} ({@link dev.upcall.table.EntryLine}).
 *
 * <p>Nothing is ever written outside the target: a symbolic link that stands there is never
 * followed, and names of a store hold no slash. The calling thread walks and makes directories and
 * links, a few writers write files.
 */
final class DirectoryExport {
  private static final int WINDOW_FILES = 64;

  /** The end of the name of the file that has the entries of a table. */
  private static final String LINES_SUFFIX = ".table.jsonl";

  private final UpcallReads store;
  private final ExportOptions options;
  private final TransferRun run;
  private final HostWriter writer;
  private final StoreLookAhead ahead;
  private final Deque<Future<?>> underWay = new ArrayDeque<>();
  private final List<Made> directories = new ArrayList<>();

  /** The directories in which the walk is, the innermost first. */
  private final Deque<Entered> entered = new ArrayDeque<>();

  /**
   * A directory whose time and mode are set when everything in it is written.
   *
   * @param made whether it was not there before
   */
  private record Made(String storePath, Path path, FileInfo info, boolean made) {}

  /** A directory whose entries are being written. */
  private record Entered(String storePath, Path directory, StoreEntries entries) {
    static Entered of(StoreLookAhead ahead, String storePath, Path directory) {
      return new Entered(storePath, directory, new StoreEntries(ahead, storePath, true));
    }
  }

  DirectoryExport(UpcallReads store, ExportOptions options, TransferRun run) throws IOException {
    this.store = store;
    this.options = options;
    this.run = run;
    this.ahead = new StoreLookAhead(this::page);
    this.writer = new HostWriter(store, options.present(), excluded(store, options), run);
  }

  /** What was named, and the volume, which would be written over while it is read. */
  private static ExcludedFiles excluded(UpcallReads store, ExportOptions options)
      throws IOException {
    List<Path> files = new ArrayList<>(options.excluded());
    if (store instanceof Upcall whole) {
      files.add(Path.of(whole.info().volume()));
    }
    return new ExcludedFiles(files);
  }

  /**
   * Exports.
   *
   * @throws IOException when the target itself cannot be made or written
   * @throws UpcallException when the store fails, or has no such path
   */
  TreeSummary run() throws IOException {
    FileInfo top = store.stat(options.from(), LinkPolicy.NO_FOLLOW);
    boolean targetMade = makeTarget();
    Path target = options.target().toRealPath();
    ExecutorService writers =
        Executors.newFixedThreadPool(
            options.writers(), Thread.ofPlatform().daemon().name("export writer ", 0).factory());
    boolean early = false;
    try {
      if (top.isDirectory()) {
        String from = options.from().toString();
        directories.add(new Made(from, target, top, targetMade));
        entries(from, target, writers);
      } else {
        entry(options.from().toString(), target, top, writers);
      }
    } catch (StoppedException asked) {
      early = true;
    } finally {
      ahead.close();
      early |= finish(writers);
    }
    if (!early) {
      for (Made made : directories.reversed()) {
        finishDirectory(made);
      }
    }
    return run.summary(early);
  }

  /** Makes the target unless it is there; returns whether it did. */
  private boolean makeTarget() throws IOException {
    Path target = options.target().toAbsolutePath();
    Path above = target.getParent();
    if (above == null || Files.isDirectory(target)) {
      writer.directory(target.toRealPath());
      return false;
    }
    Files.createDirectories(above);
    return writer.directory(above.toRealPath().resolve(target.getFileName()));
  }

  private Listing page(String directory, String after, int limit) {
    return Damage.list(store, directory, after, limit, run::problem);
  }

  /** Goes through a directory and all below it, however deep: without calling itself. */
  private void entries(String storePath, Path directory, ExecutorService writers) {
    entered.push(Entered.of(ahead, storePath, directory));
    while (!entered.isEmpty()) {
      Entered in = entered.element();
      FileInfo info = next(in);
      if (info == null) {
        entered.pop();
        continue;
      }
      check();
      if (info.isDirectory()) {
        in.entries().lookAhead();
      }
      entry(SourceWalk.child(in.storePath(), info.name()), in.directory(), info, writers);
    }
  }

  /** The next entry; null at the end, and where the rest of the directory cannot be read. */
  private @Nullable FileInfo next(Entered in) {
    try {
      return in.entries().rest();
    } catch (UpcallException refused) {
      problemOrThrow(in.storePath(), refused);
      return null;
    }
  }

  private void check() {
    run.check();
    if (Thread.currentThread().isInterrupted()) {
      throw new StoppedException();
    }
  }

  private void entry(String storePath, Path directory, FileInfo info, ExecutorService writers) {
    run.progress().at(storePath);
    if (StorePath.parse(storePath) instanceof Completion.Failed<StorePath>(Failure failure)) {
      // A directory that was moved to where it is deeper than a path may be.
      run.problem(storePath, failure.message());
      return;
    }
    try {
      Path path = directory.resolve(info.name());
      if (!directory.equals(path.getParent())) {
        throw new IOException("the name leads elsewhere on this host");
      }
      switch (info.kind()) {
        case FILE -> file(storePath, path, info, writers);
        case TABLE -> table(storePath, path, info, writers);
        case SYMBOLIC_LINK -> {
          writer.link(path, store.readLink(storePath), info);
          done(Outcome.LINK, 0);
        }
        case DIRECTORY -> {
          boolean made = writer.directory(path);
          done(made ? Outcome.DIRECTORY : Outcome.UNCHANGED, 0);
          directories.add(new Made(storePath, path, info, made));
          entered.push(Entered.of(ahead, storePath, path));
        }
      }
    } catch (IOException refused) {
      run.problem(storePath, HostWords.withPath(refused), refused);
    } catch (UpcallException refused) {
      problemOrThrow(storePath, refused);
    } catch (InvalidPathException unmappable) {
      run.problem(storePath, "this host cannot write the name: " + unmappable.getReason());
    }
  }

  /** The entries of a table are lines of a file beside which no other is to have that name. */
  private void table(String storePath, Path path, FileInfo info, ExecutorService writers)
      throws IOException {
    if (StorePath.parse(storePath + LINES_SUFFIX) instanceof Completion.Done<StorePath>(var lines)
        && store.exists(lines)) {
      throw new IOException("is a table, and its lines would have the name of " + lines);
    }
    file(storePath, path.resolveSibling(path.getFileName() + LINES_SUFFIX), info, writers);
  }

  private void file(String storePath, Path path, FileInfo info, ExecutorService writers) {
    if (underWay.size() >= WINDOW_FILES) {
      await(underWay.removeFirst());
    }
    FutureTask<@Nullable Void> task =
        new FutureTask<>(
            () -> {
              try {
                done(Outcome.FILE, writer.file(storePath, path, info));
              } catch (IOException refused) {
                run.problem(storePath, HostWords.withPath(refused), refused);
              } catch (UpcallException refused) {
                problemOrThrow(storePath, refused);
              }
            },
            null);
    HostWork.execute(writers, task);
    underWay.addLast(task);
  }

  private void problemOrThrow(String storePath, UpcallException refused) {
    if (!Damage.isOfOneEntry(refused.failure())) {
      throw refused;
    }
    run.problem(storePath, refused.failure());
  }

  private void done(Outcome outcome, long sizeBytes) {
    run.count(outcome);
    run.bytes(sizeBytes);
    run.progress().entry();
  }

  private void finishDirectory(Made made) {
    try {
      writer.attributes(made.storePath(), made.path(), made.info(), made.made());
    } catch (IOException refused) {
      run.problem(made.path().toString(), HostWords.withPath(refused));
    }
  }

  /** Waits until nobody writes any more; returns whether something was left undone. */
  private boolean finish(ExecutorService writers) {
    boolean early = false;
    try {
      while (!underWay.isEmpty()) {
        try {
          await(underWay.removeFirst());
        } catch (StoppedException asked) {
          early = true;
        }
      }
    } finally {
      writers.shutdownNow();
      writers.close();
    }
    return early;
  }

  private static void await(Future<?> file) {
    try {
      file.get();
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
      throw new StoppedException();
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case RuntimeException known -> throw known;
        case IOException unreadable -> throw new UncheckedIOException(unreadable);
        case null, default -> throw new IllegalStateException(failed.getCause());
      }
    }
  }
}
