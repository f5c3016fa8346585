package dev.upcall.fileman.trees;

import dev.upcall.Upcall;
import dev.upcall.fileman.trees.host.ExcludedFiles;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Imports a directory of the host into a store, or brings the store up to date with it.
 *
 * <p>An entry is up to date when size and time of change agree (for a link its target too). Files
 * that somebody changed in the store while the source stayed as it was are left alone. The state is
 * in the store, committed with each file: an import that was killed goes on where it was by being
 * run again. Names, symbolic links (never followed), times, modes and owners are kept; what cannot
 * be kept is reported, a file that was written to each time it was read included. What fails, or is
 * stopped, gives back what it has read and not committed; of large files that do not all fit those
 * are kept that come first.
 *
 * <p>The walker of a {@link StepLine} compares, a thread lists the store ahead of it, the line's
 * readers read files. Beside the line's, memory is bounded by the names of one directory and a few
 * pages of the store's.
 */
final class DirectoryImport {
  private final Upcall store;
  private final ImportOptions options;
  private final TransferRun run;

  DirectoryImport(Upcall store, ImportOptions options, TransferRun run) {
    this.store = store;
    this.options = options;
    this.run = run;
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
    StepLine line = new StepLine(store, run, "import", real.readers());
    SourceWalk.Setting setting = new SourceWalk.Setting(store, real, source, excluded(), run, line);
    Thread scan =
        Thread.ofPlatform().daemon().name("import scan").unstarted(() -> scan(real.source(), line));
    boolean early;
    try {
      early = line.run(steps -> walk(setting, scan, steps));
    } finally {
      scan.interrupt();
    }
    store.flush();
    return run.summary(early);
  }

  /** The scan looks at all entries once more: it begins when there is a file to be read. */
  private static void walk(SourceWalk.Setting setting, Thread scan, Consumer<ImportStep> steps)
      throws IOException {
    SourceWalk.Sink sink =
        step -> {
          steps.accept(step);
          if (step.task() != null && scan.getState() == Thread.State.NEW) {
            begin(scan);
          }
        };
    try (StoreLookAhead ahead = new StoreLookAhead(setting.store()::list)) {
      new SourceWalk(setting, ahead, sink).run();
    }
  }

  private static void begin(Thread scan) {
    try {
      scan.start();
    } catch (OutOfMemoryError noThread) {
      // Only the time left is not known then; a thread that could not start stays new.
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

  /** What was named, and the volume, which would be read into itself. */
  private ExcludedFiles excluded() throws IOException {
    List<Path> files = new ArrayList<>(options.excluded());
    files.add(Path.of(store.info().volume()));
    return new ExcludedFiles(files);
  }

  /**
   * Counts what there is, so that the time left can be told; its errors are the walk's to report.
   */
  private void scan(Path source, StepLine line) {
    long[] found = new long[2];
    try {
      Files.walkFileTree(
          source,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
              found[0]++;
              return line.isStopped() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
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
}
