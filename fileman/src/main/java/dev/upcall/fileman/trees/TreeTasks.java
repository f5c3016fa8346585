package dev.upcall.fileman.trees;

import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Tasks, which run once. */
public final class TreeTasks {
  private TreeTasks() {}

  /** A copy byte by byte. */
  public static TreeTask copying(
      UpcallReads from, Upcall to, CopyOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    CopySteps steps = new ByteCopies(from, to, options.present(), run);
    return new Task(run, new TreeCopy(from, to, options, steps, run)::run);
  }

  /** A copy that shares blocks. */
  public static TreeTask cloning(Upcall store, CopyOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    CopySteps steps = new BlockClones(options.present());
    return new Task(run, new TreeCopy(store, store, options, steps, run)::run);
  }

  /** From the host. */
  public static TreeTask importing(Upcall store, ImportOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    return new Task(run, new DirectoryImport(store, options, run)::run);
  }

  /** To the host. */
  public static TreeTask exporting(UpcallReads files, ExportOptions options, TreeWatch watch) {
    TransferRun run = new TransferRun(watch);
    return new Task(run, () -> new DirectoryExport(files, options, run).run());
  }

  private interface Work {
    TreeSummary run() throws IOException;
  }

  private static final class Task implements TreeTask {
    private final TransferRun run;
    private final Work work;
    private final AtomicBoolean begun = new AtomicBoolean();

    Task(TransferRun run, Work work) {
      this.run = run;
      this.work = work;
    }

    @Override
    public TreeSummary run() throws IOException {
      if (begun.getAndSet(true)) {
        throw new IllegalStateException("the task was run before: make a new one");
      }
      return work.run();
    }

    @Override
    public TreeSummary soFar() {
      return run.summary(TreeSummary.End.UNFINISHED);
    }

    @Override
    public void cancel() {
      run.cancel();
    }
  }
}
