package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.plan.FileBatch;
import java.util.List;

/** Where a batch goes whose content is all staged: to the store at once, or into a transaction. */
@FunctionalInterface
interface BatchTarget {
  /**
   * Takes a batch over.
   *
   * @param content all that its requests name; used up whatever the outcome
   */
  void take(FileBatch batch, List<StagedContent> content, CompletionPort<BatchResult> port);
}
