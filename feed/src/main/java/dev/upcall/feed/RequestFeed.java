package dev.upcall.feed;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.FileManager;
import dev.upcall.fileman.FileRequest;
import dev.upcall.fileman.FileVersion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.journal.entry.Decoded;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.entry.EntryCodec;
import dev.upcall.journal.entry.EntryKind;
import dev.upcall.journal.entry.RequestCodec;
import dev.upcall.journal.entry.Submission;
import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.EntryQueue.Indexed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Does the requests of a queue, in its order, each exactly once. How far it is, and what came of
 * each producer's last request, is committed in the same change as the request itself; a request
 * that fails for good commits these alone, one that fails for now is tried again before any other.
 *
 * <p>A queue that no longer has, at the position, the entry that was read there has lost its end:
 * then it gets a new generation and is read from its oldest entry, and the producers' numbers tell
 * what was done before.
 */
public final class RequestFeed extends StateMachine<FeedState> {
  /** What it may do. */
  public static final Transitions<FeedState> TRANSITIONS =
      Transitions.of("RequestFeed", FeedState.class, FeedState.NEW)
          .on("begin", FeedState.NEW, FeedState.OPENING)
          .on("the position is known", FeedState.OPENING, FeedState.READING)
          .on("an entry of an unknown producer", FeedState.READING, FeedState.LOOKING)
          .on("a request", FeedState.READING, FeedState.APPLYING)
          .on("a new request", FeedState.LOOKING, FeedState.APPLYING)
          .on("nothing to do", FeedState.LOOKING, FeedState.READING)
          .on("done", FeedState.APPLYING, FeedState.READING)
          .on("failed for now", FeedState.APPLYING, FeedState.PAUSED)
          .on("again", FeedState.PAUSED, FeedState.APPLYING)
          .on("the store or the queue fails", FeedState.OPENING, FeedState.STOPPED)
          .on("the queue fails", FeedState.READING, FeedState.STOPPED)
          .on("the store fails", FeedState.LOOKING, FeedState.STOPPED)
          .on("the store fails", FeedState.APPLYING, FeedState.STOPPED)
          .on("close", FeedState.NEW, FeedState.CLOSED)
          .on("close", FeedState.OPENING, FeedState.CLOSED)
          .on("close", FeedState.READING, FeedState.CLOSED)
          .on("close", FeedState.LOOKING, FeedState.CLOSED)
          .on("close", FeedState.APPLYING, FeedState.CLOSED)
          .on("close", FeedState.PAUSED, FeedState.CLOSED)
          .on("close", FeedState.STOPPED, FeedState.CLOSED)
          .build();

  private static final System.Logger LOG = System.getLogger(RequestFeed.class.getName());

  private final FileManager files;
  private final RequestSource source;
  private final FeedConfig config;
  private final Dispatcher dispatcher;
  private final Unfinished unfinished = new Unfinished();
  private final Map<UUID, Outcome> outcomes;

  /** Up to here all was read. */
  private Position last = new Position(0, EntryQueue.NONE, 0);

  private long applied;
  private long repeated;
  private long failed;
  private long retried;
  private long unreadable;
  private long abandoned;
  private long lostEnds;
  private String failure = "";
  private Dispatcher.@Nullable Timer timer;

  /** A request that is being done. */
  private record Work(
      Entry entry, Submission submission, Unfinished.@Nullable Parts parts, Position at) {}

  /** Begins nothing before {@link #begin}; the source is the caller's to close. */
  public RequestFeed(FileManager files, RequestSource source, FeedConfig config) {
    super(TRANSITIONS, files.dispatcher());
    this.files = files;
    this.source = source;
    this.config = config;
    this.dispatcher = files.dispatcher();
    this.outcomes =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<UUID, Outcome> eldest) {
            return size() > config.maxProducers();
          }
        };
  }

  /** Opens the queue where the store has left it, and goes on. */
  public void begin() {
    become(FeedState.OPENING);
    files.property(
        property(),
        found -> {
          switch (found) {
            case Completion.Done<byte[]>(byte[] bytes) -> compare(Position.decode(bytes));
            case Completion.Failed<byte[]>(Failure.NotFound _) -> read(start());
            case Completion.Failed<byte[]>(Failure other) -> stop(other);
          }
        });
  }

  /** Begins nothing any more; a request that is on its way may still be done. */
  public void close() {
    become(FeedState.CLOSED);
    if (timer != null) {
      timer.cancel();
    }
  }

  /** What it has counted. */
  public FeedMetrics metrics() {
    return new FeedMetrics(
        applied, repeated, failed, retried, unreadable, abandoned, lostEnds, failure);
  }

  // ---------------------------------------------------------------- opening

  private Position start() {
    return new Position(source.generation(), EntryQueue.NONE, 0);
  }

  private void compare(@Nullable Position known) {
    if (isClosed()) {
      return;
    }
    if (known == null) {
      stop(new Failure.Invalid("the property " + property() + " is of another version"));
    } else if (known.index() == EntryQueue.NONE) {
      read(start());
    } else {
      source.read(
          known.index(),
          found -> {
            switch (found) {
              case Completion.Failed<Optional<byte[]>> broken -> stop(broken.failure());
              case Completion.Done<Optional<byte[]>>(Optional<byte[]> bytes) -> {
                if (bytes.isPresent() && isAt(known, bytes.get())) {
                  read(known);
                } else {
                  beginGeneration();
                }
              }
            }
          });
    }
  }

  private static boolean isAt(Position known, byte[] bytes) {
    return EntryCodec.decode(bytes) instanceof Decoded.Value<Entry>
        && EntryCodec.checksumOf(bytes) == known.checksum();
  }

  private void beginGeneration() {
    lostEnds++;
    LOG.log(
        System.Logger.Level.WARNING,
        "queue {0} has lost its end; it is read from its oldest entry",
        source.queue());
    source.nextGeneration(
        begun -> {
          switch (begun) {
            case Completion.Failed<Long> broken -> stop(broken.failure());
            case Completion.Done<Long> _ ->
                new FeedChange(
                        files,
                        _ -> List.of(noted(start())),
                        noted -> {
                          switch (noted) {
                            case Completion.Failed<FileVersion> broken -> stop(broken.failure());
                            case Completion.Done<FileVersion> _ -> read(start());
                          }
                        })
                    .nothing();
          }
        });
  }

  // ---------------------------------------------------------------- reading

  private void read(Position done) {
    if (isClosed()) {
      return;
    }
    last = done;
    become(FeedState.READING);
    next();
  }

  private void next() {
    source.next(
        last.index(),
        found -> {
          if (isClosed()) {
            return;
          }
          switch (found) {
            case Completion.Failed<Indexed> broken -> stop(broken.failure());
            case Completion.Done<Indexed>(Indexed entry) -> arrived(entry);
          }
        });
  }

  private void arrived(Indexed found) {
    abandoned += unfinished.dropOlder(dispatcher.upcallNanos(), config.unfinishedNanos());
    switch (EntryCodec.decode(found.bytes())) {
      case Decoded.Refused<Entry>(Decoded.Reason reason, String message) ->
          passOver(found, reason + ": " + message);
      case Decoded.Value<Entry>(Entry entry) -> {
        if (!entry.origin().queue().equals(source.queue())) {
          passOver(found, "of another queue, " + entry.origin().queue());
        } else if (entry.kind() != EntryKind.REQUEST) {
          passOver(found, "no request but " + entry.kind());
        } else {
          look(found, entry);
        }
      }
    }
  }

  private void look(Indexed found, Entry entry) {
    UUID producer = entry.origin().producer();
    Outcome known = outcomes.get(producer);
    if (known != null) {
      take(found, entry, known);
      return;
    }
    become(FeedState.LOOKING);
    files.property(
        property(producer),
        answer -> {
          if (isClosed()) {
            return;
          }
          switch (answer) {
            case Completion.Failed<byte[]>(Failure.NotFound _) ->
                take(found, entry, new Outcome(Long.MIN_VALUE, FeedChange.NOTHING, ""));
            case Completion.Failed<byte[]>(Failure other) -> stop(other);
            case Completion.Done<byte[]>(byte[] bytes) -> {
              Outcome stored = Outcome.decode(bytes);
              if (stored == null) {
                stop(new Failure.Invalid(property(producer) + " is of another version"));
              } else {
                take(found, entry, stored);
              }
            }
          }
        });
  }

  private void take(Indexed found, Entry entry, Outcome known) {
    outcomes.put(entry.origin().producer(), known);
    if (entry.origin().sequence() <= known.sequence()) {
      repeated += entry.part() == 0 ? 1 : 0;
      goOn(found);
    } else if (entry.part() == 0) {
      first(found, entry);
    } else {
      further(found, entry);
    }
  }

  private void first(Indexed found, Entry entry) {
    if (unfinished.drop(entry.origin().producer())) {
      abandoned++;
    }
    switch (RequestCodec.decode(entry)) {
      case Decoded.Refused<Submission>(Decoded.Reason reason, String message) ->
          passOver(found, reason + ": " + message);
      case Decoded.Value<Submission>(Submission submission) -> {
        if (entry.parts() == 1) {
          apply(new Work(entry, submission, null, at(found)));
        } else {
          unfinished.begin(entry, submission, found.index(), last, dispatcher.upcallNanos());
          goOn(found);
        }
      }
    }
  }

  private void further(Indexed found, Entry entry) {
    Unfinished.Parts parts = unfinished.add(entry, found.index(), dispatcher.upcallNanos());
    if (parts == null) {
      passOver(found, "part " + entry.part() + " of a request whose beginning is not there");
    } else if (entry.part() < entry.parts() - 1) {
      goOn(found);
    } else {
      unfinished.drop(entry.origin().producer());
      apply(new Work(entry, parts.submission(), parts, at(found)));
    }
  }

  private void passOver(Indexed found, String why) {
    unreadable++;
    LOG.log(
        System.Logger.Level.WARNING,
        "queue {0}, entry {1} is passed over: {2}",
        source.queue(),
        Long.toHexString(found.index()),
        why);
    goOn(found);
  }

  private void goOn(Indexed found) {
    last = at(found);
    if (state() != FeedState.READING) {
      become(FeedState.READING);
    }
    next();
  }

  /** The checksum of what is no entry is of no use: whoever looks for it begins anew. */
  private Position at(Indexed found) {
    boolean isEntry = found.bytes().length >= EntryCodec.HEAD_BYTES;
    int checksum = isEntry ? EntryCodec.checksumOf(found.bytes()) : 0;
    return new Position(last.generation(), found.index(), checksum);
  }

  // ---------------------------------------------------------------- doing

  private void apply(Work work) {
    become(FeedState.APPLYING);
    FeedChange change =
        new FeedChange(files, file -> notes(work, file, ""), done -> tried(work, done));
    if (work.parts() == null) {
      change.whole(work.submission().request(), work.entry().body(), work.submission().contentAt());
    } else {
      change.parts(source, work.parts());
    }
  }

  private void tried(Work work, Completion<FileVersion> done) {
    switch (done) {
      case Completion.Done<FileVersion>(FileVersion file) -> {
        applied++;
        noted(work, new Outcome(work.entry().origin().sequence(), file, ""));
      }
      case Completion.Failed<FileVersion> _ when isClosed() -> {
        // The next opening does it.
      }
      case Completion.Failed<FileVersion>(Failure why) -> {
        switch (FailureKind.of(why)) {
          case FOR_NOW -> pause(() -> apply(work));
          case FOR_GOOD -> refuse(work, why);
          case STORE -> stop(why);
        }
      }
    }
  }

  /** Notes that a request failed, and nothing else. */
  private void refuse(Work work, Failure why) {
    Outcome outcome =
        new Outcome(work.entry().origin().sequence(), FeedChange.NOTHING, why.message());
    new FeedChange(
            files,
            _ -> notes(work, FeedChange.NOTHING, why.message()),
            done -> {
              switch (done) {
                case Completion.Done<FileVersion> _ -> {
                  failed++;
                  LOG.log(
                      System.Logger.Level.WARNING,
                      "queue {0}, entry {1} failed: {2}",
                      source.queue(),
                      Long.toHexString(work.at().index()),
                      why.message());
                  noted(work, outcome);
                }
                case Completion.Failed<FileVersion>(Failure other)
                    when FailureKind.of(other) == FailureKind.FOR_NOW ->
                    pause(() -> resume(work, why));
                case Completion.Failed<FileVersion>(Failure other) -> stop(other);
              }
            })
        .nothing();
  }

  private void resume(Work work, Failure why) {
    become(FeedState.APPLYING);
    refuse(work, why);
  }

  private void noted(Work work, Outcome outcome) {
    outcomes.put(work.entry().origin().producer(), outcome);
    source.done(unfinished.safe(work.at()).index());
    if (isClosed()) {
      return;
    }
    last = work.at();
    become(FeedState.READING);
    next();
  }

  private void pause(Runnable again) {
    if (isClosed()) {
      return;
    }
    retried++;
    become(FeedState.PAUSED);
    timer = dispatcher.schedule(config.retryNanos(), again);
  }

  private List<FileRequest> notes(Work work, FileVersion file, String why) {
    Outcome outcome = new Outcome(work.entry().origin().sequence(), file, why);
    return List.of(
        noted(unfinished.safe(work.at())),
        new FileRequest.SetProperty(property(work.entry().origin().producer()), outcome.encode()));
  }

  private FileRequest noted(Position position) {
    return new FileRequest.SetProperty(property(), position.encode());
  }

  private void stop(Failure why) {
    if (isClosed()) {
      return;
    }
    failure = why.message();
    LOG.log(
        System.Logger.Level.ERROR, "queue {0} is not read any more: {1}", source.queue(), failure);
    become(FeedState.STOPPED);
  }

  private boolean isClosed() {
    return state() == FeedState.CLOSED;
  }

  private String property() {
    return "upcall.queue." + source.queue();
  }

  private String property(UUID producer) {
    return property() + "." + producer;
  }
}
