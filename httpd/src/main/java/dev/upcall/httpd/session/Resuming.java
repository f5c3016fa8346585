package dev.upcall.httpd.session;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.PutHandle;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.answer.UploadAnswer;
import dev.upcall.httpd.answer.UploadPlan;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.ResumableAsk;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Resolved;
import dev.upcall.store.Durability;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that answers requests about uploads that may come in several requests
 * ({@link ResumableUploads}). An upload is a file in a place of the store that has no path for
 * clients. A body goes into a file of its own as that of a PUT does, without waiting for the disk.
 * A piece of it, or what has come when a client goes away, becomes a part of the upload by its
 * blocks, of which nothing is copied. Before an offset is told, all up to there is durable. The
 * last request moves the file to where a PUT would have made it, as one change under the conditions
 * with which it began.
 *
 * <p>Each change names the version of the file that the one before has left. So of two requests
 * that append to one upload, the one that is behind changes nothing. Each request begins with a
 * version of its own, so that the ones before it append no more, and what it is told stays true.
 *
 * <p>The rules of access are about the path that the upload is for. Dispatcher's thread only.
 */
final class Resuming extends Receiver {
  /** The time between two answers about the progress. */
  private static final long PROGRESS_NANOS = 1_000_000_000L;

  private final UploadPlan plan;
  private final ResumableAsk ask;
  private final StorePath target;
  private final SiteChanges uploads; // of the whole site: the rules know no paths of uploads
  private final UploadFiles files;
  private final AddressShares.Place place;
  private @Nullable SiteChanges changes; // as the rules let them be
  private boolean bodyEnded;
  private boolean joinedIsDurable = true; // what was joined last
  private long toldNanos;

  /**
   * Does nothing yet.
   *
   * @param target where the upload goes
   */
  Resuming(
      HttpSession session,
      SessionContext server,
      Serving.Parts parts,
      StorePath target,
      ResumableAsk ask) {
    super(session, server, parts.responses(), parts.decoder());
    this.uploads = present(server.changes());
    this.place = parts.place();
    this.target = target;
    this.ask = ask;
    this.plan = new UploadPlan(server.config(), target, ask);
    this.files = new UploadFiles(server, uploads, plan);
    this.toldNanos = monotonicNanos() - PROGRESS_NANOS;
  }

  private long nowNanos() {
    return server.dispatcher().clock().epochNanos();
  }

  /** Whether it is an unfinished upload for this path; if not, its client was told. */
  private boolean isFound(Completion<FileInfo> looked) {
    Refusal refusal = plan.found(looked);
    if (refusal != null) {
      session.refuse(refusal);
    }
    return refusal == null;
  }

  // ------------------------------------------------------------------ without a body

  /** Answers a look at an upload, or its end. */
  void answer() {
    if (!plan.isNamed()) {
      session.refuse(UploadPlan.MISSING);
      return;
    }
    session.go(HttpSessionState.COMMITTING);
    switch (ask.verb()) {
      case DELETE -> uploads.look(plan.path(), this::foundToGiveUp);
      case GET, HEAD, PUT, PATCH, OTHER ->
          uploads.batch(plan.overtaking(), Durability.SYNC, this::told);
    }
  }

  private void told(Completion<FileInfo> done) {
    if (session.state() == HttpSessionState.COMMITTING && isFound(done)) {
      say(plan.told(nowNanos()));
    }
    session.storeDone();
  }

  private void foundToGiveUp(Completion<FileInfo> looked) {
    if (session.state() == HttpSessionState.COMMITTING && isFound(looked)) {
      uploads.delete(plan.path(), FileCondition.NONE, this::givenUp);
    } else {
      session.storeDone();
    }
  }

  private void givenUp(Completion<Unit> done) {
    if (session.state() == HttpSessionState.COMMITTING) {
      switch (done) {
        case Completion.Done<Unit> _ -> {
          server.counters().add(HttpCount.RESUMABLE_CANCELLED);
          responses.write(responses.answers().deleted(session.requestToAnswer()));
          session.endResponse();
        }
        case Completion.Failed<Unit>(Failure failure) ->
            session.refuse(UploadPlan.refused(failure));
      }
    }
    session.storeDone();
  }

  // ------------------------------------------------------------------ before a body

  @Override
  void prepare(StorePath path, SiteChanges site) {
    if (ask.id() != null && !plan.isNamed()) {
      session.refuse(UploadPlan.MISSING);
      return;
    }
    changes = site;
    session.go(HttpSessionState.PREPARING);
    if (ask.id() == null) {
      // Begun and given up: so its client hears what a PUT would be refused for.
      site.put(path, session.change().putOptions(), this::checked);
    } else {
      uploads.batch(plan.overtaking(), Durability.SYNC, this::found);
    }
  }

  private void checked(Completion<PutHandle> begun) {
    if (begun instanceof Completion.Done<PutHandle>(PutHandle handle)) {
      handle.abandon();
    }
    if (session.state() == HttpSessionState.PREPARING) {
      UploadAnswer refusal = plan.refusesToBegin(session.change(), nowNanos());
      if (begun instanceof Completion.Failed<PutHandle>(Failure failure)) {
        session.refuse(session.change().putRefused(failure));
      } else if (refusal != null) {
        refuse(refusal);
      } else {
        lookAtPlace(this::chosen);
        return;
      }
    }
    session.storeDone();
  }

  private void chosen(Completion<UploadPlan.Place> found) {
    if (session.state() == HttpSessionState.PREPARING) {
      switch (found) {
        case Completion.Failed<UploadPlan.Place>(Failure failure) ->
            session.refuse(session.change().putRefused(failure));
        case Completion.Done<UploadPlan.Place>(UploadPlan.Place there) -> {
          plan.choose(there);
          server.site().list(ResumableUploads.PLACE, "", Listing.MAX_ENTRIES, this::counted);
          return;
        }
      }
    }
    session.storeDone();
  }

  private void counted(Completion<SitePage> listed) {
    if (session.state() == HttpSessionState.PREPARING) {
      switch (listed) {
        case Completion.Failed<SitePage>(Failure failure)
            when !(failure instanceof Failure.NotFound) ->
            session.refuse(Refusal.of(failure));
        case Completion.Failed<SitePage> _ -> {
          begin(List.of());
          return;
        }
        case Completion.Done<SitePage>(SitePage all) -> {
          begin(all.entries());
          return;
        }
      }
    }
    session.storeDone();
  }

  private void begin(List<SitePage.Entry> others) {
    ChangeRequest change = session.change();
    if (plan.mayBegin(others, place.address(), change)) {
      asPut(() -> plan.begin(change, place.address()), this::made);
    } else {
      server.counters().add(HttpCount.REFUSED_REQUESTS);
      session.refuse(UploadPlan.TOO_MANY);
      session.storeDone();
    }
  }

  /** Looks where a PUT would make its file. */
  private void lookAtPlace(CompletionPort<UploadPlan.Place> port) {
    present(changes).place(target, port.then(way -> lookAtPlace(way, port)));
  }

  private void lookAtPlace(Resolved way, CompletionPort<UploadPlan.Place> port) {
    way.info()
        .ifPresentOrElse(
            there -> port.complete(Completion.done(new UploadPlan.Place(way, there))),
            () ->
                uploads.look(
                    way.fixed().before(0),
                    found ->
                        port.complete(
                            found.map(directory -> new UploadPlan.Place(way, directory)))));
  }

  /** Does requests; once more where a choice of compression cannot be followed here. */
  private void asPut(Supplier<List<FileRequest>> requests, CompletionPort<FileInfo> port) {
    uploads.batch(
        requests.get(),
        Durability.SYNC,
        done -> {
          if (plan.storesPlainly(done)) {
            asPut(requests, port);
          } else {
            port.complete(done);
          }
        });
  }

  private void made(Completion<FileInfo> made) {
    if (session.state() != HttpSessionState.PREPARING) {
      if (made instanceof Completion.Done<FileInfo>) {
        files.discard(FileCondition.NONE); // nobody has heard of it
      }
    } else if (isFound(made)) {
      server.counters().add(HttpCount.RESUMABLE_BEGUN);
      interim(plan.begun(nowNanos()));
      beginPiece();
      return;
    }
    session.storeDone();
  }

  private void found(Completion<FileInfo> looked) {
    if (session.state() == HttpSessionState.PREPARING && isFound(looked)) {
      UploadAnswer refusal = plan.refusesToGoOn(session.change(), nowNanos());
      List<FileRequest> noting = refusal == null ? plan.noting(session.change()) : null;
      if (refusal == null) {
        if (noting == null) {
          goOn();
        } else {
          uploads.batch(noting, Durability.SYNC, this::noted);
        }
        return;
      }
      refuse(refusal);
    }
    session.storeDone();
  }

  private void noted(Completion<FileInfo> done) {
    if (session.state() == HttpSessionState.PREPARING) {
      if (done instanceof Completion.Failed<FileInfo>(Failure failure)) {
        session.refuse(UploadPlan.refused(failure));
      } else if (isFound(done)) {
        goOn();
        return;
      }
    }
    session.storeDone();
  }

  private void goOn() {
    server.counters().add(HttpCount.RESUMABLE_RESUMED);
    beginPiece();
  }

  // ------------------------------------------------------------------ the body

  private void beginPiece() {
    files.beginPiece(this::pieceBegun);
  }

  private void pieceBegun(Completion<PutHandle> begun) {
    boolean first = session.state() == HttpSessionState.PREPARING;
    if (first || session.state() == HttpSessionState.STORING) {
      if (begun instanceof Completion.Failed<PutHandle>(Failure failure)) {
        session.refuse(UploadPlan.refused(failure));
      } else if (first) {
        accept();
      } else {
        goOnReceiving();
      }
    }
    session.storeDone();
  }

  private void goOnReceiving() {
    session.go(HttpSessionState.RECEIVING);
    receive();
  }

  @Override
  void take(HttpContent next) {
    bodyEnded = next instanceof LastHttpContent;
    PutHandle into = files.piece();
    long bytes = into.sizeBytes() + next.content().readableBytes();
    UploadAnswer refusal = plan.refusesMore(bytes, nowNanos());
    if (refusal != null) {
      next.release();
      files.abandonPiece();
      files.discard(plan.asItIs()); // it cannot end well (4.6.2), but for who has gone on with it
      session.makeLast();
      refuse(refusal);
    } else {
      session.go(HttpSessionState.STORING);
      into.append(next.content().nioBuffer(), done -> appended(next, done));
    }
  }

  private void appended(HttpContent taken, Completion<Unit> done) {
    taken.release();
    if (done instanceof Completion.Failed<Unit>(Failure failure)) {
      files.abandonPiece();
      if (session.state() == HttpSessionState.STORING) {
        session.refuse(UploadPlan.refused(failure));
      }
    } else if (session.state() == HttpSessionState.STORING) {
      if (bodyEnded || files.isPieceWhole()) {
        endPiece();
        return;
      }
      goOnReceiving();
    }
    session.storeDone();
  }

  private void endPiece() {
    boolean endsPart = bodyEnded && !ask.isLast(); // its answer says how much is there
    if (files.piece().sizeBytes() == 0 && (joinedIsDurable || !endsPart)) {
      files.abandonPiece();
      session.go(HttpSessionState.COMMITTING);
      ended();
      return;
    }
    joinedIsDurable = endsPart || (!bodyEnded && isProgressDue());
    files.join(joinedIsDurable ? Durability.SYNC : Durability.ASYNC, this::joined);
  }

  private void joined(Completion<FileInfo> done) {
    if (session.state() == HttpSessionState.STORING) {
      if (done instanceof Completion.Failed<FileInfo>(Failure failure)) {
        session.refuse(UploadPlan.refused(failure));
      } else if (isFound(done)) {
        if (bodyEnded) {
          session.go(HttpSessionState.COMMITTING);
          ended();
          return;
        }
        if (joinedIsDurable) {
          tellProgress();
        }
        beginPiece();
        return;
      }
    }
    session.storeDone();
  }

  private long monotonicNanos() {
    return server.dispatcher().clock().monotonicNanos();
  }

  /** Now and then; a client that reads nothing would fill memory with what it is told. */
  private boolean isProgressDue() {
    return hearsInterim() && responses.isEmpty() && monotonicNanos() - toldNanos >= PROGRESS_NANOS;
  }

  private void tellProgress() {
    toldNanos = monotonicNanos();
    interim(UploadAnswer.progress(plan.offset()));
  }

  // ------------------------------------------------------------------ behind the body

  private void ended() {
    if (session.state() == HttpSessionState.COMMITTING) {
      if (!ask.isLast()) {
        say(plan.taken(nowNanos()));
      } else if (!plan.isWhole()) {
        refuse(UploadAnswer.otherLength());
      } else {
        lookAtPlace(this::placed);
        return;
      }
    }
    session.storeDone();
  }

  private void placed(Completion<UploadPlan.Place> found) {
    if (session.state() == HttpSessionState.COMMITTING) {
      switch (found) {
        case Completion.Done<UploadPlan.Place>(UploadPlan.Place there) -> {
          asPut(
              () -> plan.completing(there, nowNanos()),
              done -> completed(there.way().info().isEmpty(), done));
          return;
        }
        case Completion.Failed<UploadPlan.Place>(Failure failure) ->
            session.refuse(plan.refusedThere(failure));
      }
    }
    session.storeDone();
  }

  private void completed(boolean made, Completion<FileInfo> done) {
    boolean wanted = session.state() == HttpSessionState.COMMITTING;
    switch (done) {
      case Completion.Done<FileInfo>(FileInfo file) -> {
        server.counters().add(HttpCount.UPLOADS_COMMITTED);
        server.counters().add(HttpCount.BYTES_RECEIVED, file.sizeBytes());
        if (wanted) {
          responses.write(responses.answers().uploaded(made, file, session.requestToAnswer()));
          session.endResponse();
        }
      }
      case Completion.Failed<FileInfo>(Failure failure) -> {
        UploadAnswer refusal = plan.notCompleted(failure, nowNanos());
        if (refusal.isOver()) {
          files.discard(FileCondition.NONE);
        }
        if (wanted) {
          refuse(refusal);
        }
      }
    }
    session.storeDone();
  }

  // ------------------------------------------------------------------ for all of them

  /** HTTP/1.0 knows no interim answers, nor do clients of another version of the draft. */
  private boolean hearsInterim() {
    return session.request().http11() && ask.versioned();
  }

  private void interim(UploadAnswer answer) {
    if (hearsInterim()) {
      responses.write(responses.answers().upload(answer, session.request()));
    }
  }

  private void say(UploadAnswer answer) {
    responses.write(responses.answers().upload(answer, session.requestToAnswer()));
    session.endResponse();
  }

  private void refuse(UploadAnswer answer) {
    if (answer.refusal() != null) {
      server.counters().body(answer.refusal());
    }
    session.refuse(asked -> responses.write(responses.answers().upload(answer, asked)));
  }

  @Override
  void cancel() {
    // A piece on its way into the store stays there.
  }

  @Override
  void close() {
    files.leave();
  }
}
