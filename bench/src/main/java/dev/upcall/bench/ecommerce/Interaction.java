package dev.upcall.bench.ecommerce;

import java.util.List;

/**
 * One interaction of a client.
 *
 * @param kind its name in the specification
 * @param steps what it asks for, in order
 */
public record Interaction(String kind, List<Step> steps) {
  /** Whether it commits something. */
  public boolean changes() {
    return steps.stream().anyMatch(Step::changes);
  }
}
