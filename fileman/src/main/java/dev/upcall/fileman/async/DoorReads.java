package dev.upcall.fileman.async;

import dev.upcall.AsyncReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.reading.PortWay;
import dev.upcall.fileman.reading.PublishedLooks;
import dev.upcall.fileman.reading.ReadSide;
import dev.upcall.fileman.reading.VersionRead;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.request.Look;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looking and reading through a door. */
abstract class DoorReads implements AsyncReads, PortWay {
  private final AsyncDoor door;
  private final PublishedLooks looks;

  /** Reads. */
  DoorReads(AsyncDoor door, PublishedLooks looks) {
    this.door = door;
    this.looks = looks;
  }

  final PublishedLooks looks() {
    return looks;
  }

  @Override
  @SuppressWarnings("unchecked") // a whole file is bytes
  public final <R> void ask(Look<R> look, CompletionPort<R> port) {
    Objects.requireNonNull(look, "look");
    switch (look) {
      case Look.OfNames<R> _ -> door.look(() -> seen(look), inner -> looks.ask(look, inner), port);
      case Look.ReadRange _ ->
          door.lookMeasured(() -> seen(look), inner -> looks.ask(look, inner), port);
      case Look.ReadWhole whole -> readWhole(whole, (CompletionPort<byte[]>) port);
    }
  }

  private void readWhole(Look.ReadWhole look, CompletionPort<byte[]> port) {
    door.lookHolding(
        () -> seen(look), (hold, inner) -> looks.array(look.path(), hold, inner), port);
  }

  private <R> @Nullable Completion<R> seen(Look<R> look) {
    return looks.seen(look, WholeRead.MAX_COPIED_BYTES);
  }

  @Override
  public final void read(CharSequence path, CompletionPort<Content> port) {
    at(
        path,
        port,
        parsed ->
            door.<ReadSide>request(
                inner -> looks.open(parsed, inner),
                opened -> port.complete(opened.map(side -> new VersionRead(side, this)))));
  }

  @Override
  public final <T> void refuse(Failure failure, CompletionPort<T> port) {
    door.later(port, failure);
  }

  @Override
  public final <T> CompletionPort<T> fromAnyThread(CompletionPort<T> port) {
    return door.fromAnyThread(port);
  }
}
