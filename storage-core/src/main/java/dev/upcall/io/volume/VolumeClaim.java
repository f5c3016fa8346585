package dev.upcall.io.volume;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import java.nio.file.Path;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The right to write a volume, waited for while another process has it: its lock, on a thread that
 * sleeps in the kernel meanwhile, and the end of what a dead owner's device requests still write.
 * Whoever only reads the volume is waited for, too, and hindered in nothing. An opening uses it up
 * ({@link VolumeSpec#claimed}).
 *
 * <p>A lock lives as long as its process, so an owner that hangs is waited for like one that works.
 * Any thread; making one and closing it block.
 */
public final class VolumeClaim implements AutoCloseable {
  private enum State {
    WAITING,
    /** The same, and no other one waits before this. */
    WAITING_NEXT,
    HELD,
    REFUSED,
    USED,
    GIVEN_UP
  }

  private final Path path;
  private final VolumeOpener opener;
  private final @Nullable Object key;
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition changed = guard.newCondition();
  private State state = State.WAITING;
  private @Nullable OpenVolume volume;
  private @Nullable Failure refusal;

  private VolumeClaim(Path path, VolumeOpener opener) {
    this.path = path;
    this.opener = opener;
    this.key = LockHolder.key(path);
  }

  /**
   * Takes the volume at once, or begins to wait for it.
   *
   * <p>Failures: as those of {@link Volumes}, but no {@code Conflict} because somebody has it.
   */
  public static Completion<VolumeClaim> of(Path path) {
    return of(path, new VolumeOpener(VolumeSpec.existing(path, DiskKind.AUTO)));
  }

  static Completion<VolumeClaim> of(Path path, VolumeOpener opener) {
    VolumeClaim claim = new VolumeClaim(path, opener);
    Completion<OpenVolume> now = opener.open();
    if (now instanceof Completion.Failed<OpenVolume>(Failure why)) {
      if (!(why instanceof Failure.Conflict)) {
        return Completion.failed(why);
      }
      Thread.ofPlatform()
          .daemon()
          .name("upcall-helper: wait for " + path)
          .start(() -> claim.answered(opener.openWhenFree(claim::first)));
    } else {
      claim.answered(now);
    }
    return Completion.done(claim);
  }

  private boolean isWaiting() {
    return state == State.WAITING || state == State.WAITING_NEXT;
  }

  private void first() {
    guard.lock();
    try {
      if (state == State.WAITING) {
        state = State.WAITING_NEXT;
      }
    } finally {
      guard.unlock();
    }
  }

  private void answered(Completion<OpenVolume> opened) {
    OpenVolume unwanted = null;
    guard.lock();
    try {
      switch (opened) {
        case Completion.Done<OpenVolume>(OpenVolume got) when state == State.GIVEN_UP ->
            unwanted = got;
        case Completion.Done<OpenVolume>(OpenVolume got) -> {
          volume = got;
          state = State.HELD;
        }
        case Completion.Failed<OpenVolume>(Failure.NotFound _) -> refuse(removed());
        case Completion.Failed<OpenVolume>(Failure why) -> refuse(why);
      }
      changed.signalAll();
    } finally {
      guard.unlock();
    }
    if (unwanted != null) {
      unwanted.close();
    }
  }

  private void refuse(Failure why) {
    if (isWaiting()) {
      refusal = why;
      state = State.REFUSED;
    }
  }

  private Failure removed() {
    return new Failure.Conflict("volume " + path + " was removed; nothing was changed");
  }

  /** The volume's path. */
  public Path path() {
    return path;
  }

  /** Who has the volume, in words. Looks through all processes. */
  public String owner() {
    return LockHolder.of(path);
  }

  /**
   * Waits until the volume is held, at most for a time or until this is closed; true when it is
   * held. Failures: {@code Conflict} for a volume that was removed or replaced meanwhile, since
   * what is waited for then is no longer what has its name; and what {@link Volumes} says.
   */
  public Completion<Boolean> await(long timeoutNanos) throws InterruptedException {
    Object now = LockHolder.key(path);
    guard.lock();
    try {
      if (isWaiting() && key != null && !key.equals(now)) {
        refuse(now == null ? removed() : VolumeOpener.replaced(path.toString()));
        // Should the lock come yet, nobody wants it.
        state = State.GIVEN_UP;
      }
      long left = timeoutNanos;
      while (isWaiting() && left > 0) {
        left = changed.awaitNanos(left);
      }
      return refusal == null ? Completion.done(state == State.HELD) : Completion.failed(refusal);
    } finally {
      guard.unlock();
    }
  }

  /**
   * Whether this is the first in line and gets the volume when its owner goes. At most one is, of
   * all processes; one that was given up keeps its place as long as its process lives.
   */
  public boolean isNext() {
    guard.lock();
    try {
      return state == State.WAITING_NEXT;
    } finally {
      guard.unlock();
    }
  }

  /** When the lock was had, on the machine's monotonic clock. The volume must be held. */
  public long lockedNanos() {
    return opener.lockedNanos();
  }

  /** How long a dead owner's writes were waited for, in nanoseconds. The volume must be held. */
  public long fenceNanos() {
    return opener.fenceNanos();
  }

  /** Uses it up. */
  OpenVolume take() {
    guard.lock();
    try {
      Invariants.check(state == State.HELD, "a claim is", state);
      state = State.USED;
      return Invariants.present(volume, "the volume");
    } finally {
      guard.unlock();
    }
  }

  /** Gives it up, unless an opening has used it. */
  @Override
  public void close() {
    OpenVolume unwanted = null;
    guard.lock();
    try {
      if (state == State.HELD) {
        unwanted = volume;
      }
      if (state != State.USED) {
        state = State.GIVEN_UP;
        changed.signalAll();
      }
    } finally {
      guard.unlock();
    }
    if (unwanted != null) {
      unwanted.close();
    }
  }
}
