package dev.upcall.guard;

import dev.upcall.StorePath;
import java.util.Objects;
import java.util.Optional;

/**
 * Access whose rules can be replaced while a server asks for them: a request that has begun is
 * judged by those with which it began. Any thread.
 */
public final class ReplaceableAccess implements Access {
  private volatile Access present;

  /** With these rules for now. */
  public ReplaceableAccess(Access first) {
    present = Objects.requireNonNull(first, "first");
  }

  /** Puts others in force. */
  public void replace(Access other) {
    present = Objects.requireNonNull(other, "other");
  }

  @Override
  public Access inForce() {
    return present;
  }

  @Override
  public Optional<Caller> identify(Credentials shown, long epochNanos) {
    return present.identify(shown, epochNanos);
  }

  @Override
  public boolean decide(Caller caller, Right right, StorePath path) {
    return present.decide(caller, right, path);
  }

  @Override
  public boolean isUniformBelow(StorePath directory) {
    return present.isUniformBelow(directory);
  }
}
