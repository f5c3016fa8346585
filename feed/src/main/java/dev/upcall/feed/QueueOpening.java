package dev.upcall.feed;

import dev.upcall.BatchResult;
import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds where a queue is to be read on. The entry at the position that the store has noted must
 * still be there; else the queue has lost its end, gets a new generation, and is read from its
 * oldest entry.
 */
record QueueOpening(
    FileManager files,
    RequestSource source,
    String property,
    Runnable endIsLost,
    CompletionPort<Position> port) {
  private static final System.Logger LOG = System.getLogger(QueueOpening.class.getName());

  void begin() {
    files.property(
        property,
        found -> {
          switch (found) {
            case Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes) ->
                bytes.ifPresentOrElse(this::compare, () -> done(start()));
            case Completion.Failed<Optional<byte[]>> failed -> port.complete(failed.cast());
          }
        });
  }

  private void compare(byte[] bytes) {
    Position known = Position.decode(bytes);
    if (known == null) {
      port.complete(Completion.failed(new Failure.Invalid(property + " is of another version")));
    } else if (known.index() == EntryQueue.NONE) {
      done(start());
    } else {
      source.read(
          known.index(),
          port(
              (Optional<Arrival> found) -> {
                if (found.isPresent() && isAt(known, found.get())) {
                  done(known);
                } else {
                  beginGeneration();
                }
              }));
    }
  }

  private static boolean isAt(Position known, Arrival found) {
    return found.isEntry() && found.checksum() == known.checksum();
  }

  private void beginGeneration() {
    endIsLost.run();
    LOG.log(
        System.Logger.Level.WARNING,
        "queue {0} has lost its end; it is read from its oldest entry",
        source.queue());
    source.nextGeneration(
        port(
            _ ->
                files.batch(
                    List.of(new FileRequest.SetProperty(property, start().encode())),
                    Durability.SYNC,
                    port((BatchResult _) -> done(start())))));
  }

  private Position start() {
    return new Position(source.generation(), EntryQueue.NONE, 0);
  }

  private void done(Position from) {
    port.complete(Completion.done(from));
  }

  private <T> CompletionPort<T> port(Consumer<T> next) {
    return completion -> {
      switch (completion) {
        case Completion.Done<T>(T value) -> next.accept(value);
        case Completion.Failed<T> failed -> port.complete(failed.cast());
      }
    };
  }
}
