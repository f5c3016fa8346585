package dev.upcall.txn;

import dev.upcall.completion.CompletionPort;
import dev.upcall.io.seal.KeyChange;
import dev.upcall.io.seal.KeySlots;

/**
 * The keys that open an encrypted volume. Dispatcher's thread only; completions never arrive inside
 * the call.
 */
public interface VolumeKeys {
  /** The slots in the durable superblock; {@link KeySlots#NONE} of a volume that has none. */
  KeySlots slots();

  /** The slot with which the volume was opened; -1 if it is not encrypted. */
  int opened();

  /**
   * Changes the slots, and completes when all copies of the superblock say so durably: with a
   * checkpoint, whatever the size of the store. A key that was removed is on none of them then. One
   * at a time. The material of the change is the store's, and cleared. Failures: those of the
   * change, {@code Invalid} (the volume is not encrypted), {@code Conflict} (another change is
   * under way), {@code ReadOnly}, {@code VolumeFull}, {@code Device}, {@code Busy}, {@code Closed};
   * after a failure of the device the change may have been made.
   */
  void change(KeyChange change, CompletionPort<KeySlots> port);
}
