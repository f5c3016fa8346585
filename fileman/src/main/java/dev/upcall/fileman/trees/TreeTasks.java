package dev.upcall.fileman.trees;

import dev.upcall.Listing;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.rewrite.TreeRewrite;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Tasks, which run once. */
public final class TreeTasks {
  /** Files and links that a copy reads at once. */
  public static final int COPY_READERS = TreeCopy.READERS;

  private TreeTasks() {}

  /** A page of a directory, also where something of it cannot be read. */
  public static Listing list(
      UpcallReads files,
      String directory,
      String after,
      int limit,
      BiConsumer<String, Failure> damaged) {
    return Damage.list(files, directory, after, limit, damaged);
  }

  /** A copy byte by byte. */
  public static TreeTask copying(
      UpcallReads from, Upcall to, CopyOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    Function<StepLine, CopySteps> copies =
        line -> new ByteCopies(from, options.present(), run.progress(), line);
    return new StartedTask(run, new TreeCopy(from, to, options, copies, run)::run);
  }

  /** A copy that shares blocks. */
  public static TreeTask cloning(Upcall store, CopyOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    CopySteps clones = new BlockClones(options.present());
    return new StartedTask(run, new TreeCopy(store, store, options, _ -> clones, run)::run);
  }

  /** In place. */
  public static TreeTask rewriting(Upcall store, StorePath at, Pace pace, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    TreeRewrite rewrite = new TreeRewrite(store, at, pace, run);
    return new StartedTask(run, () -> run.summary(rewrite.run()));
  }

  /** From the host. */
  public static TreeTask importing(Upcall store, ImportOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    return new StartedTask(run, new DirectoryImport(store, options, run)::run);
  }

  /** To the host. */
  public static TreeTask exporting(UpcallReads files, ExportOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    return new StartedTask(run, () -> new DirectoryExport(files, options, run).run());
  }
}
