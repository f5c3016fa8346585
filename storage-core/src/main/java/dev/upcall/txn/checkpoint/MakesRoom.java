package dev.upcall.txn.checkpoint;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.pressure.Relief;

/**
 * How write-back and checkpoints make room.
 *
 * @param disk where their requests may rest
 */
public record MakesRoom(WriteBack writeBack, Checkpoint checkpoints, Disk disk) implements Relief {
  @Override
  public void place(CompletionPort<Unit> port) {
    writeBack.placeAll(port);
  }

  @Override
  public boolean isPlacing() {
    return writeBack.isRunning();
  }

  @Override
  public void checkpoint(CompletionPort<Unit> port) {
    checkpoints.request(port);
  }

  @Override
  public boolean isCheckpointing() {
    return checkpoints.isRunning();
  }

  @Override
  public void lift() {
    disk.lift();
  }
}
