package dev.upcall.fileman.watch;

import dev.upcall.FileReads;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing.Change;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * What becomes of the entries of a directory, for any number of subscribers.
 *
 * @param directory its path, or what is wrong with that
 * @param files where the directory is
 * @param watched what hears of the changes there
 */
public record ChangePublisher(
    Completion<StorePath> directory, FileReads files, WatchedDirectories watched, Way way)
    implements Flow.Publisher<Change> {
  /** How a subscriber is reached: in one place, one signal after the other. */
  public interface Way {
    /**
     * Has a request made on the dispatcher's thread, and tells the subscription there that it has
     * begun or failed.
     */
    void begin(Consumer<CompletionPort<Unit>> watching, ChangeSubscription subscription);

    /** Runs signals. Any thread. */
    void deliver(Runnable signals);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Change> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    switch (directory) {
      case Completion.Done<StorePath>(StorePath path) -> {
        ChangeSubscription begins = begins(path, subscriber);
        way.begin(port -> watch(path, begins, port), begins);
      }
      case Completion.Failed<StorePath>(Failure noPath) ->
          way.begin(port -> files.refuse(noPath, port), begins(StorePath.ROOT, subscriber));
    }
  }

  private ChangeSubscription begins(StorePath path, Flow.Subscriber<? super Change> subscriber) {
    return new ChangeSubscription(path, subscriber, way::deliver, watched);
  }

  /** Dispatcher's thread. */
  private void watch(StorePath path, ChangeSubscription begins, CompletionPort<Unit> port) {
    files.stat(
        path,
        LinkPolicy.FOLLOW,
        port.then(
            found -> {
              if (found.isDirectory()) {
                watch(found.id(), begins, port);
              } else {
                port.complete(Completion.failed(new Failure.NotADirectory(path.toString())));
              }
            }));
  }

  private void watch(long id, ChangeSubscription begins, CompletionPort<Unit> port) {
    watched.watch(
        id,
        /* modifications= */ true,
        begins,
        port.then(
            unit -> {
              begins.watching(id);
              port.complete(Completion.done(unit));
            }));
  }
}
