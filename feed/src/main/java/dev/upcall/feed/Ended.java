package dev.upcall.feed;

import dev.upcall.feed.answer.Outcome;
import dev.upcall.feed.answer.Settled;

/**
 * A request and what came of it.
 *
 * @param request that is over
 * @param outcome of it
 */
record Ended(Asked request, Outcome outcome) {
  Settled settled() {
    return new Settled(request.origin(), outcome, request.indexes());
  }
}
