package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.seal.KeyChange;
import dev.upcall.io.seal.KeySlots;
import dev.upcall.io.seal.Seal;
import dev.upcall.txn.VolumeKeys;
import dev.upcall.txn.state.StoreEntrance;
import org.jspecify.annotations.Nullable;

/** Changes key slots with a checkpoint, one change at a time. */
public final class SlotChanges implements VolumeKeys {
  private final Dispatcher dispatcher;
  private final StoreEntrance entrance;
  private final Checkpoint checkpoint;
  private final @Nullable Seal seal;
  private boolean isUnderWay;

  /**
   * The slots of an open store.
   *
   * @param seal of the volume, or null where it is not encrypted
   */
  public SlotChanges(
      Dispatcher dispatcher, StoreEntrance entrance, Checkpoint checkpoint, @Nullable Seal seal) {
    this.dispatcher = dispatcher;
    this.entrance = entrance;
    this.checkpoint = checkpoint;
    this.seal = seal;
  }

  @Override
  public KeySlots slots() {
    return checkpoint.durable().keySlots();
  }

  @Override
  public int opened() {
    Seal present = seal;
    return present == null ? -1 : present.slot();
  }

  @Override
  public void change(KeyChange change, CompletionPort<KeySlots> port) {
    dispatcher.checkOwner();
    Seal present = seal;
    Failure refusal = present == null ? NOT_SEALED : isUnderWay ? UNDER_WAY : enter();
    if (present == null || refusal != null) {
      change.close();
      dispatcher.complete(port, Completion.failed(Invariants.present(refusal, "a refusal")));
      return;
    }
    isUnderWay = true;
    present.change(
        dispatcher,
        slots(),
        change,
        CompletionPort.of(wanted -> write(wanted, port), why -> end(Completion.failed(why), port)));
  }

  private static final Failure NOT_SEALED =
      new Failure.Invalid("the store is not encrypted, and has no keys");

  private static final Failure UNDER_WAY =
      new Failure.Conflict("another change of the keys is under way; try again");

  private @Nullable Failure enter() {
    return entrance.enter(/* changes= */ true);
  }

  private void write(KeySlots wanted, CompletionPort<KeySlots> port) {
    checkpoint.wantedKeys = wanted;
    checkpoint.request(
        completion -> {
          checkpoint.wantedKeys = null;
          boolean made = slots().equals(wanted);
          if (completion instanceof Completion.Failed<Unit> failed && !made) {
            end(failed.cast(), port);
            return;
          }
          Invariants.check(made, "checkpoint without a change of keys");
          end(Completion.done(wanted), port);
        });
  }

  private void end(Completion<KeySlots> completion, CompletionPort<KeySlots> port) {
    isUnderWay = false;
    entrance.leave();
    port.complete(completion);
  }
}
