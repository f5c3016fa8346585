package dev.upcall.feed;

import dev.upcall.BatchResult;
import dev.upcall.FileManager;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.feed.GroupChange.Member;
import dev.upcall.feed.answer.EarlierOutcomes;
import dev.upcall.feed.answer.FailureKind;
import dev.upcall.feed.answer.Settled;
import dev.upcall.feed.answer.SettledPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Does the requests of a queue, those of each producer in their order, each exactly once. Many are
 * done as one change: how far the queue is done, and what came of each producer's last requests, is
 * in it too. A group that fails is tried again in halves, so that no request fails for another's
 * sake; what fails alone fails for good and is noted, or its producer rests and tries it again.
 *
 * <p>Changes follow each other as they are applied; they become durable behind that, together
 * ({@link Settlement}).
 */
public final class RequestFeed extends StateMachine<FeedState> {
  /** What it may do. */
  public static final Transitions<FeedState> TRANSITIONS =
      Transitions.of("RequestFeed", FeedState.class, FeedState.NEW)
          .on("begin", FeedState.NEW, FeedState.OPENING)
          .on("the position is known", FeedState.OPENING, FeedState.WAITING)
          .on("requests", FeedState.WAITING, FeedState.APPLYING)
          .on("done or failed", FeedState.APPLYING, FeedState.WAITING)
          .on("the store or the queue fails", FeedState.OPENING, FeedState.STOPPED)
          .on("the store or the queue fails", FeedState.WAITING, FeedState.STOPPED)
          .on("the store or the queue fails", FeedState.APPLYING, FeedState.STOPPED)
          .on("close", FeedState.NEW, FeedState.CLOSED)
          .on("close", FeedState.OPENING, FeedState.CLOSED)
          .on("close", FeedState.WAITING, FeedState.CLOSED)
          .on("close", FeedState.APPLYING, FeedState.CLOSED)
          .on("close", FeedState.STOPPED, FeedState.CLOSED)
          .build();

  private static final System.Logger LOG = System.getLogger(RequestFeed.class.getName());
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long MILLI_NANOS = 1_000_000;

  private final FileManager files;
  private final RequestSource source;
  private final FeedConfig config;
  private final Dispatcher dispatcher;
  private final FeedMeter meter = new FeedMeter();
  private final Producers producers;
  private final FeedFlight flight;
  private final Settlement settlement;
  private final SettledPort settled;
  private final Deference deference;
  private final ProducerExpiry expiry;

  /** From the opening on. */
  private @Nullable EntryReader reader;

  private @Nullable ContentStaging staging;

  /** A large content that is ready to be put in place. */
  private @Nullable Member staged;

  /** How far the queue is done as the store knows it. */
  private @Nullable Position noted;

  private int groupLimit;

  /**
   * Whether what the last group would have noted was too large: then its producers may ask less, or
   * nothing before they are heard of, and the next group is another.
   */
  private boolean doesNotFit;

  private String failure = "";

  /** As with somebody who hears of nothing. */
  public RequestFeed(FileManager files, RequestSource source, FeedConfig config) {
    this(files, source, config, SettledPort.NONE);
  }

  /** Begins nothing before {@link #begin}; the source is the caller's to close. */
  public RequestFeed(
      FileManager files, RequestSource source, FeedConfig config, SettledPort settled) {
    super(TRANSITIONS, files.dispatcher());
    this.files = files;
    this.source = source;
    this.config = config;
    this.dispatcher = files.dispatcher();
    this.groupLimit = config.maxGroup();
    this.producers = new Producers(files, property(), config.maxProducers());
    this.flight = new FeedFlight(dispatcher.recorder());
    this.settlement = new Settlement(files, flight, settled, new Durable());
    this.settled = settled;
    this.deference = new Deference(dispatcher);
    this.expiry =
        new ProducerExpiry(files, source, producers, this::doneUpTo, config.forgetNanos());
  }

  /** Opens the queue where the store has left it, and goes on. */
  public void begin() {
    become(FeedState.OPENING);
    new QueueOpening(files, source, property(), () -> meter.lostEnds++, this::opened).begin();
  }

  /** Begins nothing any more; requests that are on their way may still be done. */
  public void close() {
    become(FeedState.CLOSED);
    release();
  }

  /** A feed in numbers. */
  public FeedMetrics metrics() {
    EntryReader from = reader;
    long nowMillis = dispatcher.clock().epochNanos() / MILLI_NANOS;
    long oldestMillis = from == null ? nowMillis : from.oldestMillis().orElse(nowMillis);
    return new FeedMetrics(
        meter.counts(),
        meter.groups.snapshot(),
        meter.halved,
        from == null ? 0 : from.waiting().size(),
        settlement.unsettled(),
        deference.held(),
        expiry.forgotten(),
        from == null ? source.unread() : from.backlog(),
        MILLI_NANOS * Math.max(0, nowMillis - oldestMillis),
        settled.counts(),
        failure);
  }

  /** Whether all that was read is done, durable, and heard of. */
  boolean isIdle() {
    return state() == FeedState.WAITING
        && reader != null
        && reader.isDrained()
        && settlement.unsettled() == 0;
  }

  private void opened(Completion<Position> opened) {
    if (isOver()) {
      return;
    }
    switch (opened) {
      case Completion.Failed<Position>(Failure why) -> stop(why);
      case Completion.Done<Position>(Position start) ->
          source.producers(
              known -> {
                switch (known) {
                  case Completion.Failed<List<UUID>>(Failure why) -> stop(why);
                  case Completion.Done<List<UUID>>(List<UUID> producers) ->
                      new EarlierOutcomes(
                              files, settled, property(), this::isOver, told -> told(told, start))
                          .tell(producers.iterator());
                }
              });
    }
  }

  private void told(Completion<Unit> told, Position start) {
    if (isOver()) {
      return;
    }
    switch (told) {
      case Completion.Failed<Unit>(Failure why) -> stop(why);
      case Completion.Done<Unit> _ -> {
        EntryReader.Shared shared = new EntryReader.Shared(producers, meter, new Read());
        EntryReader made = new EntryReader(source, dispatcher, config, start, shared);
        reader = made;
        noted = start;
        become(FeedState.WAITING);
        expiry.begin();
        made.read();
      }
    }
  }

  /** What the reader has to say. */
  private final class Read implements EntryReader.Listener {
    @Override
    public void more() {
      goOn();
    }

    @Override
    public void failed(Failure why) {
      stop(why);
    }

    @Override
    public boolean isOver() {
      return RequestFeed.this.isOver();
    }
  }

  /** What becomes of requests that are done. */
  private final class Durable implements Settlement.Listener {
    @Override
    public void settled(List<Settled> requests, Position upTo) {
      producers.settled(requests);
      source.done(upTo.index());
      goOn();
    }

    @Override
    public void failed(Failure why) {
      stop(why);
    }

    @Override
    public boolean isOver() {
      return RequestFeed.this.isOver();
    }
  }

  // ---------------------------------------------------------------- doing

  /** Begins with what may be begun. */
  private void goOn() {
    EntryReader from = reader;
    if (from == null || state() != FeedState.WAITING) {
      return;
    }
    stage(from);
    Member large = staged;
    if (isOver()) {
      return;
    }
    List<Member> group = large == null ? group(from) : List.of(large);
    if (group.isEmpty()) {
      noteAlone(from);
      return;
    }
    if (deference.holds(direct(from), this::goOn)) {
      return;
    }
    staged = null;
    apply(from, group);
  }

  private List<Member> group(EntryReader from) {
    return from.waiting().next(groupLimit, config.maxGroupBytes(), this::maySettle).stream()
        .map(each -> new Member(each, each.work()))
        .toList();
  }

  /**
   * How far the queue is done moves on, too, where there is no request to note that with: when the
   * last of it was given up, passed over, or done before. Else it would count as backlog, and its
   * files would stay, until there is another request.
   */
  private void noteAlone(EntryReader from) {
    Position upTo = from.progress().safeWith(Collections.emptySet());
    if (upTo.equals(noted) || staging != null || !isIdle()) {
      return;
    }
    become(FeedState.APPLYING);
    flight.<BatchResult>begin(
        "position",
        port ->
            files.batch(
                List.of(new FileRequest.SetProperty(property(), upTo.encode())),
                Durability.SYNC,
                port),
        done -> {
          if (isOver()) {
            return;
          }
          switch (done) {
            case Completion.Done<BatchResult> _ -> {
              noted = upTo;
              source.done(upTo.index());
              become(FeedState.WAITING);
              from.read();
              goOn();
            }
            case Completion.Failed<BatchResult>(Failure busy)
                when FailureKind.of(busy) == FailureKind.FOR_NOW -> {
              meter.retried++;
              become(FeedState.WAITING);
              dispatcher.schedule(config.retryNanos(), this::goOn);
            }
            case Completion.Failed<BatchResult>(Failure why) -> stop(why);
          }
        });
  }

  private OptionalLong doneUpTo(UUID producer) {
    return reader == null ? OptionalLong.empty() : reader.doneUpTo(producer);
  }

  /** Requests in the file manager, without those that this feed may have there now. */
  private int direct(EntryReader from) {
    int own = settlement.isFlushing() ? 1 : 0;
    own += from.isLooking() ? 1 : 0;
    own += staging == null ? 0 : 1;
    return files.fileManagerInfo().requestsInside() - own;
  }

  /** What nobody has heard of must fit its producer's property. */
  private boolean maySettle(Asked request, int ofItsProducer) {
    Producers.Known known = producers.known(request.producer());
    return known != null && known.mayAsk(ofItsProducer + 1);
  }

  /** Brings the content of the next large request to the store, while others are done. */
  private void stage(EntryReader from) {
    Asked next = staging == null && staged == null ? from.waiting().firstLarge() : null;
    if (next == null || !(next.work() instanceof Work.Large large)) {
      return;
    }
    Failure refused = files.refusesContent().orElse(null);
    if (refused != null) {
      failed(from, next, refused);
      return;
    }
    flight.<StagedContent>begin(
        "content",
        port -> staging = ContentStaging.begin(files, source, next, large, port),
        content -> {
          staging = null;
          switch (content) {
            case Completion.Failed<StagedContent>(Failure why) -> failed(from, next, why);
            case Completion.Done<StagedContent>(StagedContent whole) ->
                staged = new Member(next, Asked.with(large, whole));
          }
          goOn();
        });
  }

  private void apply(EntryReader from, List<Member> members) {
    become(FeedState.APPLYING);
    doesNotFit = false;
    long seconds = dispatcher.clock().epochNanos() / SECOND_NANOS;
    Set<Asked> ending = new LinkedHashSet<>();
    members.forEach(member -> ending.add(member.request()));
    Position[] upTo = new Position[1];
    flight.<List<Ended>>begin(
        "requests",
        port ->
            GroupChange.begin(
                files,
                members,
                ended -> {
                  upTo[0] = from.progress().safeWith(ending);
                  return notes(ended, upTo[0], seconds);
                },
                port),
        done -> {
          switch (done) {
            case Completion.Done<List<Ended>>(List<Ended> ended) -> done(from, ended, upTo[0]);
            case Completion.Failed<List<Ended>>(Failure why) -> failed(from, members, why);
          }
        });
  }

  private Completion<List<FileRequest>> notes(List<Ended> ended, Position position, long seconds) {
    List<FileRequest> of = producers.notes(ended, seconds);
    doesNotFit = of == null;
    if (of == null) {
      return Completion.failed(new Failure.Busy("those who hear of requests"));
    }
    List<FileRequest> all = new ArrayList<>(of);
    all.add(new FileRequest.SetProperty(property(), position.encode()));
    return Completion.done(all);
  }

  private void done(EntryReader from, List<Ended> ended, Position upTo) {
    noted = upTo;
    meter.groups.record(ended.size());
    producers.noted(ended);
    List<Asked> requests = ended.stream().map(Ended::request).toList();
    from.waiting().remove(requests);
    for (Ended each : ended) {
      from.progress().end(each.request());
      if (each.outcome().isDone()) {
        meter.applied++;
      } else {
        meter.failed++;
        LOG.log(
            System.Logger.Level.WARNING,
            "queue {0}: request {1} of producer {2} failed: {3}",
            source.queue(),
            Long.toString(each.request().sequence()),
            each.request().producer(),
            each.outcome().why());
      }
    }
    groupLimit = Math.min(config.maxGroup(), 2 * groupLimit);
    if (isOver()) {
      return;
    }
    settlement.applied(ended, upTo);
    become(FeedState.WAITING);
    from.read();
    goOn();
  }

  /** A group that failed is done in halves; one alone for its own sake. */
  private void failed(EntryReader from, List<Member> members, Failure why) {
    if (isOver()) {
      return;
    }
    if (FailureKind.of(why) == FailureKind.STORE) {
      stop(why);
      return;
    }
    become(FeedState.WAITING);
    if (members.size() == 1) {
      failed(from, members.getFirst().request(), why);
    } else if (!doesNotFit) {
      meter.halved++;
      groupLimit = members.size() / 2;
    }
    goOn();
  }

  private void failed(EntryReader from, Asked request, Failure why) {
    switch (FailureKind.of(why)) {
      case STORE -> stop(why);
      case FOR_GOOD -> request.refuse(why);
      case FOR_NOW -> {
        meter.retried++;
        UUID producer = request.producer();
        from.waiting().rest(producer);
        dispatcher.schedule(
            config.retryNanos(),
            () -> {
              from.waiting().wake(producer);
              goOn();
            });
      }
    }
  }

  private void stop(Failure why) {
    if (isOver()) {
      return;
    }
    failure = why.message();
    LOG.log(
        System.Logger.Level.ERROR, "queue {0} is not read any more: {1}", source.queue(), failure);
    become(FeedState.STOPPED);
    release();
  }

  /** Gives back what is held for requests that are not done any more. */
  private void release() {
    if (staging != null) {
      staging.cancel();
      staging = null;
    }
    if (staged != null) {
      staged.work().discard();
      staged = null;
    }
    if (reader != null) {
      reader.close();
    }
    expiry.close();
  }

  private boolean isOver() {
    return state() == FeedState.CLOSED || state() == FeedState.STOPPED;
  }

  private String property() {
    return Position.property(source.queue());
  }
}
