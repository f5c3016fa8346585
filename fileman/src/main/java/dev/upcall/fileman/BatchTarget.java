package dev.upcall.fileman;

import dev.upcall.fsm.CompletionPort;
import dev.upcall.segment.StagedContent;
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
