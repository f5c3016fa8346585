package dev.upcall.feed.answer;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.Iterator;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Tells at an opening what the store has noted of each producer's last requests: whoever died
 * before may not have told all of it.
 */
public final class EarlierOutcomes {
  private final FileManager files;
  private final SettledPort settled;
  private final String prefix;
  private final BooleanSupplier isOver;
  private final CompletionPort<Unit> port;

  /**
   * Of a queue.
   *
   * @param prefix what the names of the producers' properties begin with
   * @param isOver whether nobody wants it any more
   */
  public EarlierOutcomes(
      FileManager files,
      SettledPort settled,
      String prefix,
      BooleanSupplier isOver,
      CompletionPort<Unit> port) {
    this.files = files;
    this.settled = settled;
    this.prefix = prefix;
    this.isOver = isOver;
    this.port = port;
  }

  /** Tells of them, one after the other. */
  public void tell(Iterator<UUID> producers) {
    if (isOver.getAsBoolean()) {
      return;
    }
    if (!producers.hasNext()) {
      settled.endOfEarlier();
      port.complete(Completion.done(Unit.UNIT));
      return;
    }
    UUID producer = producers.next();
    String name = prefix + "." + producer;
    files.property(
        name,
        found -> {
          switch (found) {
            case Completion.Failed<Optional<byte[]>> failed -> port.complete(failed.cast());
            case Completion.Done<Optional<byte[]>>(Optional<byte[]> none) when none.isEmpty() ->
                tell(producers);
            case Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes) -> {
              ProducerHistory history = bytes.flatMap(ProducerHistory::decode).orElse(null);
              if (history == null) {
                port.complete(
                    Completion.failed(new Failure.Invalid(name + " is of another version")));
              } else {
                settled.earlier(producer, history.outcomes().reversed());
                tell(producers);
              }
            }
          }
        });
  }
}
