package dev.upcall.cli.volume;

import dev.upcall.Upcall;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.completion.Completion;
import dev.upcall.io.Disk;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.trees.TreeProgress;

/** A walk over all of a store, until it ends or its end is asked for. */
final class StoreWalk {
  private final Shell shell;
  private final String verb;

  /**
   * A walk that shows how far it is.
   *
   * @param verb what it is for, in a word
   */
  StoreWalk(Shell shell, String verb) {
    this.shell = shell;
    this.verb = verb;
  }

  /** Walks; says which changes it cannot see. */
  Completion<VerifyReport> run(Upcall store, VerifyOptions options) {
    shell.stop().listen();
    TreeProgress meter = new TreeProgress();
    Completion<VerifyReport> completion;
    try (ProgressLine _ = new ProgressLine(shell, verb, meter)) {
      completion = walk(store, options, meter);
    }
    sayWhatIsNewer(store, completion);
    return completion;
  }

  private Completion<VerifyReport> walk(Upcall store, VerifyOptions options, TreeProgress meter) {
    long[] shown = {0};
    return store
        .fsm()
        .await(
            port ->
                store
                    .fsm()
                    .fileManager()
                    .store()
                    .verify(
                        options,
                        (checked, committed) -> {
                          meter.totals(committed, committed * Disk.BLOCK_BYTES);
                          long more = checked - shown[0];
                          meter.entries(more);
                          meter.bytes(more * Disk.BLOCK_BYTES);
                          shown[0] = checked;
                          return !shell.stop().isAsked();
                        },
                        port));
  }

  /** Without a checkpoint of its own, which would be written, the last one is what is walked. */
  private void sayWhatIsNewer(Upcall store, Completion<VerifyReport> completion) {
    long newest = store.info().scn();
    if (completion instanceof Completion.Done<VerifyReport>(VerifyReport report)
        && report.scn() < newest) {
      shell.say(
          ("%s: as of change %d; those up to %d are in the log alone, which was read whole;"
                  + " after upcall checkpoint they are walked, too")
              .formatted(verb, report.scn(), newest));
    }
  }
}
