package dev.upcall.trees;

import dev.upcall.LinkPolicy;
import dev.upcall.config.Limits;
import java.util.Objects;

/**
 * How a tree is walked.
 *
 * @param maxDepth how many names below the start; 0 is the start alone
 * @param order when a directory itself comes
 * @param links whether symbolic links are followed. Then an entry is what the link leads to; a link
 *     that leads nowhere, or to a directory that it lies in, comes as the link that it is
 */
public record WalkOptions(int maxDepth, Order order, LinkPolicy links) {
  /** All of it, directories first, links as they are. */
  public static final WalkOptions DEFAULT =
      new WalkOptions(Integer.MAX_VALUE, Order.DIRECTORY_FIRST, LinkPolicy.NO_FOLLOW);

  /** When a directory itself comes. */
  public enum Order {
    /** Before what is in it. */
    DIRECTORY_FIRST,
    /** Behind what is in it, as who deletes wants it. */
    DIRECTORY_LAST
  }

  /** Checks the depth. */
  public WalkOptions {
    Limits.within("walk.maxDepth", maxDepth, 0, Integer.MAX_VALUE);
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(links, "links");
  }

  /** The same, so deep at most. */
  public WalkOptions withMaxDepth(int other) {
    return new WalkOptions(other, order, links);
  }

  /** The same in another order. */
  public WalkOptions withOrder(Order other) {
    return new WalkOptions(maxDepth, other, links);
  }

  /** The same with another treatment of links. */
  public WalkOptions withLinks(LinkPolicy other) {
    return new WalkOptions(maxDepth, order, other);
  }
}
