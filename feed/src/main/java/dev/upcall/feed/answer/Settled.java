package dev.upcall.feed.answer;

import dev.upcall.journal.entry.Origin;
import java.util.List;

/**
 * A request that has come to its end, and that this is durable in the store.
 *
 * @param origin who asked
 * @param outcome what came of it
 * @param indexes of its entries in the queue, in order
 */
public record Settled(Origin origin, Outcome outcome, List<Long> indexes) {}
