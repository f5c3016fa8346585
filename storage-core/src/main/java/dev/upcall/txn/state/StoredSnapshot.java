package dev.upcall.txn.state;

import dev.upcall.completion.Failure;
import dev.upcall.space.SnapshotBlocks;
import org.jspecify.annotations.Nullable;

/**
 * A named snapshot as the volume has it.
 *
 * @param name its name
 * @param record where it is
 * @param blocks what it holds
 * @param unreadable why it cannot be opened, in a store that is only read; else null
 */
public record StoredSnapshot(
    String name, SnapshotRecord record, SnapshotBlocks blocks, @Nullable Failure unreadable) {
  /** One that can be read. */
  public StoredSnapshot(String name, SnapshotRecord record, SnapshotBlocks blocks) {
    this(name, record, blocks, null);
  }
}
