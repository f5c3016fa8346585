package dev.upcall.content;

/**
 * Who holds a lease, for the ledger and for messages.
 *
 * @param name the kind of holder, such as {@code "http-session"}
 * @param id which one of its kind
 */
public record LeaseOwner(String name, long id) {
  @Override
  public String toString() {
    return name + " " + id;
  }
}
