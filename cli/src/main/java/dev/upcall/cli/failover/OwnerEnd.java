package dev.upcall.cli.failover;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.volume.VolumeOwner;
import dev.upcall.io.volume.VolumeSpec;
import dev.upcall.io.volume.Volumes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Ends the process that has a volume open to write, and no other one: who it is comes from the
 * kernel's list of locks, and a process is told by its number and when it began, so that one which
 * has got the number since is not touched. Before each signal it is looked up again.
 */
final class OwnerEnd {
  private static final long LOOK_MILLIS = 50;

  /** What it takes a killed process to leave, unless a device holds it. */
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);

  private final Path volume;
  private final Consumer<String> say;

  /** What became of the owner. */
  sealed interface Outcome {
    /** There is none. */
    record NoOwner() implements Outcome {}

    /**
     * It has the volume no more.
     *
     * @param signal what it took
     */
    record Ended(long process, String signal, Duration after) implements Outcome {}

    /** Nothing was done, or it did not help; why. */
    record Refused(String why) implements Outcome {}
  }

  OwnerEnd(Path volume, Consumer<String> say) {
    this.volume = volume;
    this.say = say;
  }

  /**
   * Ends it.
   *
   * @param patience how long it may take after it was asked to end; then it is killed
   */
  Outcome end(Duration patience) throws InterruptedException {
    List<ProcessHandle> owners = VolumeOwner.find(volume);
    if (owners.isEmpty()) {
      return unseen();
    }
    if (owners.size() > 1) {
      return new Outcome.Refused(
          "%d processes share its lock (%s), and which of them is its owner cannot be told; nothing was done"
              .formatted(owners.size(), owners));
    }
    ProcessHandle owner = owners.getFirst();
    if (owner.equals(ProcessHandle.current())) {
      return new Outcome.Refused("this process itself has it open; nothing was done");
    }
    long from = System.nanoTime();
    String name =
        "process " + owner.pid() + owner.info().command().map(c -> " (" + c + ")").orElse("");
    say.accept(name + " has it open; asking it to end (SIGTERM), and waiting " + seconds(patience));
    if (!owner.destroy() && isOwner(owner)) {
      return new Outcome.Refused(name + " may not be ended by this user; nothing was done");
    }
    if (hasLeft(owner, patience)) {
      return ended(owner, "SIGTERM", from);
    }
    say.accept("it goes on; killing it (SIGKILL)");
    owner.destroyForcibly();
    return hasLeft(owner, AFTER_KILL)
        ? ended(owner, "SIGKILL", from)
        : new Outcome.Refused(
            name + " was killed and has not gone: a device may be holding it; try again");
  }

  private static Outcome ended(ProcessHandle owner, String signal, long fromNanos) {
    return new Outcome.Ended(owner.pid(), signal, Duration.ofNanos(System.nanoTime() - fromNanos));
  }

  /** Nobody, or somebody whom this process cannot see. */
  private Outcome unseen() {
    VolumeSpec reading = VolumeSpec.existing(volume, DiskKind.CHANNEL).withReadOnly(true);
    return switch (Volumes.openDevice(reading)) {
      case Completion.Done<BlockDevice>(BlockDevice device) -> {
        device.close();
        yield new Outcome.NoOwner();
      }
      case Completion.Failed<BlockDevice>(Failure.Conflict _) ->
          new Outcome.Refused(
              "it is open in a process that cannot be seen from here: another user's, or in another"
                  + " container or machine; nothing was done");
      case Completion.Failed<BlockDevice>(Failure why) -> throw UpcallException.of(why);
    };
  }

  private boolean isOwner(ProcessHandle process) {
    return VolumeOwner.find(volume).contains(process);
  }

  private boolean hasLeft(ProcessHandle owner, Duration patience) throws InterruptedException {
    long from = System.nanoTime();
    while (isOwner(owner)) {
      if (System.nanoTime() - from > patience.toNanos()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }

  static String seconds(Duration time) {
    return "%.1f s".formatted(time.toMillis() / 1e3);
  }
}
