package dev.upcall.journal.entry;

import java.util.UUID;

/**
 * Where a request comes from.
 *
 * @param queue the queue for which it was made
 * @param generation of that queue, as the producer found it; it grows when a queue has lost its end
 * @param producer who asks
 * @param incarnation drawn at random by each opening of a producer, so that no entry that is
 *     written again has the bytes of one that was lost
 * @param sequence the producer's own number of the request; later requests have larger ones
 */
public record Origin(UUID queue, long generation, UUID producer, long incarnation, long sequence) {}
