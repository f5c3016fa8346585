package dev.upcall.content;

import java.util.Objects;

/**
 * Who holds a lease, for the ledger and for messages.
 *
 * @param name the kind of holder, such as {@code "http-session"}
 * @param id which one of its kind
 */
public record LeaseOwner(String name, long id) {
  /** Checks that nothing is missing. */
  public LeaseOwner {
    Objects.requireNonNull(name, "name");
  }

  @Override
  public String toString() {
    return name + " " + id;
  }
}
