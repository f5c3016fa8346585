package dev.upcall.feed;

import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.StagedContent;
import dev.upcall.journal.entry.Entry;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads the parts of one request again and brings their content to the store, part by part. */
final class ContentStaging {
  private static final LeaseOwner OWNER = new LeaseOwner("queue", 0);

  private final RequestSource source;
  private final Asked request;
  private final int contentAt;
  private final ContentStager stager;
  private final CompletionPort<StagedContent> port;
  private boolean isFinishing;
  private boolean isOver;

  private ContentStaging(
      RequestSource source,
      Asked request,
      int contentAt,
      ContentStager stager,
      CompletionPort<StagedContent> port) {
    this.source = source;
    this.request = request;
    this.contentAt = contentAt;
    this.stager = stager;
    this.port = port;
  }

  /** Begins; the content is whoever's the port is. */
  static ContentStaging begin(
      FileManager files,
      RequestSource source,
      Asked request,
      Work.Large large,
      CompletionPort<StagedContent> port) {
    ContentStager stager = files.stage(OWNER);
    ContentStaging begun = new ContentStaging(source, request, large.contentAt(), stager, port);
    begun.part(0);
    return begun;
  }

  /** Gives up; nothing stays behind, and the port hears nothing more. */
  void cancel() {
    if (!isOver && !isFinishing) {
      stager.discard();
    }
    isOver = true;
  }

  private void part(int number) {
    if (number == request.indexes().size()) {
      isFinishing = true;
      stager.finish(this::finished);
      return;
    }
    source.read(
        request.indexes().get(number),
        found -> {
          if (isOver) {
            return;
          }
          switch (found) {
            case Completion.Failed<Optional<Arrival>> failed -> fail(failed.failure());
            case Completion.Done<Optional<Arrival>>(Optional<Arrival> entry) ->
                append(number, entry);
          }
        });
  }

  private void append(int number, Optional<Arrival> found) {
    if (!(found.orElse(null) instanceof Arrival.Part part)
        || !part.entry().origin().equals(request.origin())
        || part.entry().part() != number) {
      fail(new Failure.Device("reading a part again", "it has changed"));
      return;
    }
    Entry entry = part.entry();
    int at = number == 0 ? contentAt : 0;
    ByteBuffer bytes = ByteBuffer.wrap(entry.body(), at, entry.body().length - at);
    stager.append(
        bytes,
        appended -> {
          if (isOver) {
            return;
          }
          switch (appended) {
            case Completion.Failed<Unit>(Failure why) -> fail(why);
            case Completion.Done<Unit> _ -> part(number + 1);
          }
        });
  }

  private void finished(Completion<StagedContent> staged) {
    switch (staged) {
      case Completion.Failed<StagedContent> _ -> stager.discard();
      case Completion.Done<StagedContent>(StagedContent content) when isOver -> content.discard();
      case Completion.Done<StagedContent> _ -> {
        // The port's.
      }
    }
    if (!isOver) {
      isOver = true;
      port.complete(staged);
    }
  }

  private void fail(Failure why) {
    isOver = true;
    stager.discard();
    port.complete(Completion.failed(why));
  }
}
