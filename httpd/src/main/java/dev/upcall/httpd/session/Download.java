package dev.upcall.httpd.session;

import dev.upcall.Listing;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.LeaseOwner;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.SiteSnapshots;
import dev.upcall.httpd.answer.FileDigest;
import dev.upcall.httpd.answer.Lookup;
import dev.upcall.httpd.listing.ListingAsk;
import dev.upcall.httpd.listing.ListingQuery;
import dev.upcall.httpd.listing.ListingResponse;
import dev.upcall.httpd.message.ContentCoding;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import dev.upcall.httpd.message.WebAsk;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a session that answers GET and HEAD: opens a file or lists a directory, and sends
 * content or a page piece by piece while the window of the {@link ResponseWriter} is open. It asks
 * the store and receives its completions; the state is the session's. Dispatcher's thread only.
 */
final class Download {
  private final HttpSession session;
  private final SessionContext server;
  private final ResponseWriter responses;
  private final LeaseOwner owner;
  private final CompletionPort<OpenFile> openPort = this::opened;
  private final CompletionPort<ContentSlice> readPort = this::read;
  private final CompletionPort<SitePage> listPort = this::listed;
  private final CompletionPort<Listing.Names> namesPort = this::named;
  private final CompletionPort<LinkTarget> linkPort = this::linkFollowed;
  private final CompletionPort<SiteSnapshots.OpenSnapshot> snapshotPort = this::snapshotOpened;

  private StorePath path = StorePath.ROOT;
  private Site reading;
  private SiteSnapshots.@Nullable OpenSnapshot snapshot;
  private @Nullable FileResponse file;
  private @Nullable ListingResponse listing;

  /**
   * Serves nothing yet.
   *
   * @param id the session's, for the ledger of leases
   */
  Download(HttpSession session, SessionContext server, ResponseWriter responses, long id) {
    this.session = session;
    this.server = server;
    this.responses = responses;
    this.owner = new LeaseOwner("http-session", id);
    this.reading = server.site();
  }

  /**
   * Begins to answer a request for a path, in a snapshot if the target names one.
   *
   * @param site as the caller may see it
   */
  void begin(StorePath asked, RequestTarget target, Site site) {
    path = asked;
    Optional<SiteSnapshots> snapshots = site.snapshots();
    Refusal refusal = Lookup.refusesSnapshot(target, snapshots.isPresent());
    String name = target.parameter(ListingQuery.SNAPSHOT);
    if (refusal != null) {
      session.refuse(refusal);
    } else if (name == null || snapshots.isEmpty()) {
      reading = site;
      find();
    } else {
      session.go(HttpSessionState.OPENING);
      snapshots.get().open(name, snapshotPort);
    }
  }

  private void snapshotOpened(Completion<SiteSnapshots.OpenSnapshot> completion) {
    boolean wanted = session.state() == HttpSessionState.OPENING;
    switch (completion) {
      case Completion.Done<SiteSnapshots.OpenSnapshot>(SiteSnapshots.OpenSnapshot opened) -> {
        snapshot = opened;
        reading = opened.site();
        if (wanted) {
          find();
        }
      }
      case Completion.Failed<SiteSnapshots.OpenSnapshot>(Failure failure) -> {
        if (wanted) {
          session.refuse(Refusal.of(failure));
        }
      }
    }
    session.storeDone();
  }

  private void find() {
    if (Lookup.wantsListing(session.request())) {
      list();
      return;
    }
    if (session.state() != HttpSessionState.OPENING) {
      session.go(HttpSessionState.OPENING);
    }
    if (session.request().readsAnew()) {
      reading = reading.rereadable();
    }
    reading.openRead(Lookup.file(session.request(), path), owner, openPort);
  }

  /** Gives back the version that is held, if one is; slices may still be on their way. */
  void close() {
    if (listing != null) {
      listing = null;
      responses.letGo();
    }
    if (file != null) {
      file.close();
      file = null;
      server.counters().add(HttpCount.FILES_CLOSED);
    }
    if (snapshot != null) {
      snapshot.close().run();
      snapshot = null;
    }
  }

  private void opened(Completion<OpenFile> completion) {
    switch (completion) {
      case Completion.Done<OpenFile>(OpenFile found) when found.content() != null -> {
        server.counters().add(HttpCount.FILES_OPENED);
        file = new FileResponse(found);
        if (session.state() == HttpSessionState.OPENING) {
          WebAsk web = session.request().web();
          if (web == null) {
            serveFile(file);
          } else {
            findNeighbour(file, web.codingsFor(file.info()).iterator());
          }
        }
      }
      case Completion.Done<OpenFile> directory -> {
        if (session.state() == HttpSessionState.OPENING) {
          answerInstead(
              Lookup.ofDirectory(session.request()), new Failure.IsADirectory(path.toString()));
        }
      }
      case Completion.Failed<OpenFile>(Failure failure) -> {
        if (session.state() == HttpSessionState.OPENING) {
          answerInstead(Lookup.of(session.request(), failure), failure);
        }
      }
    }
    session.storeDone();
  }

  /** Serves the first compressed neighbour of a file that may stand for it, or the file. */
  private void findNeighbour(FileResponse plain, Iterator<ContentCoding> codings) {
    while (codings.hasNext()) {
      ContentCoding coding = codings.next();
      StorePath neighbour = coding.neighbourOf(Lookup.file(session.request(), path));
      if (neighbour != null) {
        reading
            .neighbours()
            .openRead(neighbour, owner, found -> neighbourFound(plain, coding, codings, found));
        return;
      }
    }
    serveFile(plain);
  }

  private void neighbourFound(
      FileResponse plain,
      ContentCoding coding,
      Iterator<ContentCoding> codings,
      Completion<OpenFile> completion) {
    boolean wanted = session.state() == HttpSessionState.OPENING;
    OpenFile found =
        completion instanceof Completion.Done<OpenFile>(OpenFile opened) && opened.content() != null
            ? opened
            : null;
    if (found != null && wanted && ContentCoding.isFresh(found.info(), plain.info())) {
      plain.close();
      file = new FileResponse(found, found.info().withMediaType(plain.info().mediaType()), coding);
      serveFile(file);
    } else {
      if (found != null) {
        found.close();
      }
      if (wanted) {
        findNeighbour(plain, codings);
      }
    }
    session.storeDone();
  }

  private void read(Completion<ContentSlice> completion) {
    boolean wanted = session.state() == HttpSessionState.READING;
    switch (completion) {
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        if (wanted) {
          responses.slice(present(file), slice, session.request());
          goOn();
        } else {
          slice.release();
        }
      }
      case Completion.Failed<ContentSlice>(Failure failure) -> {
        responses.cancelReservation();
        if (wanted) {
          storeFailed(failure, present(file).begun());
        }
      }
    }
    session.storeDone();
  }

  private void listed(Completion<SitePage> completion) {
    if (session.state() == HttpSessionState.LISTING) {
      ListingResponse page = present(listing);
      switch (completion) {
        case Completion.Done<SitePage>(SitePage entries) -> {
          page.arrived(entries);
          arrived(page);
        }
        case Completion.Failed<SitePage>(Failure failure) -> listFailed(page, failure);
      }
    }
    session.storeDone();
  }

  private void named(Completion<Listing.Names> completion) {
    if (session.state() == HttpSessionState.LISTING) {
      ListingResponse page = present(listing);
      switch (completion) {
        case Completion.Done<Listing.Names>(Listing.Names names) -> {
          page.arrived(names);
          arrived(page);
        }
        case Completion.Failed<Listing.Names>(Failure failure) -> listFailed(page, failure);
      }
    }
    session.storeDone();
  }

  private void listFailed(ListingResponse page, Failure failure) {
    responses.cancelReservation();
    storeFailed(failure, page.begun());
  }

  /** Something of a page has come. */
  private void arrived(ListingResponse page) {
    Refusal refusal = page.refusal();
    if (refusal != null) {
      responses.cancelReservation();
      session.refuse(refusal);
    } else if (page.hasPiece()) {
      followLinks(page);
    } else {
      ask(page);
    }
  }

  private void linkFollowed(Completion<LinkTarget> completion) {
    if (session.state() == HttpSessionState.LISTING) {
      ListingResponse page = present(listing);
      page.followed(
          completion instanceof Completion.Done<LinkTarget>(LinkTarget to)
              ? to
              : LinkTarget.UNKNOWN);
      followLinks(page);
    }
    session.storeDone();
  }

  private void answerInstead(Lookup.Instead instead, Failure failure) {
    switch (instead) {
      case LISTING -> list();
      case REDIRECT -> {
        Request asked = session.request();
        responses.write(responses.answers().redirect(present(asked.target()), asked));
        session.endResponse();
      }
      case REFUSAL -> session.refuse(Lookup.refusal(failure));
    }
  }

  private void list() {
    Request asked = session.request();
    ListingResponse page =
        ListingResponse.of(path, asked, server.config().responses().listingPageEntries());
    if (page == null) {
      session.refuse(Refusal.NO_SUCH_PAGE);
      return;
    }
    if (!asked.http11()) {
      session.makeLast(); // only the end tells an old client how long the page is
    }
    listing = page;
    session.go(HttpSessionState.LISTING);
    if (responses.hold(page.heldBytes())) {
      ask(page);
    } else {
      awaitWindow();
    }
  }

  private void serveFile(FileResponse found) {
    Request asked = session.request();
    switch (found.decide(asked, server.dispatcher().clock())) {
      case CONTENT, HEAD -> {
        FileDigest digest = FileDigest.of(found, asked);
        if (digest == null) {
          send(found);
        } else {
          count(found, digest);
        }
      }
      case RANGE_REFUSED -> {
        responses.write(responses.answers().rangeRefused(found, asked));
        session.endResponse();
      }
      case REFUSED -> session.refuse(Refusal.OTHER_VERSION);
    }
  }

  /** Sends what was decided: a head and bytes, or a head alone. */
  private void send(FileResponse found) {
    Request asked = session.request();
    if (found.hasContent()) {
      goOn();
    } else {
      responses.write(responses.answers().fileHead(found, asked));
      session.endResponse();
    }
  }

  /** Counts a slice in each upcall, then sends what was decided. */
  private void count(FileResponse found, FileDigest digest) {
    if (digest.isDone()) {
      send(found);
      return;
    }
    ContentSlice slice = found.tryAt(digest.offset(), digest.nextBytes());
    if (slice == null) {
      found.readAt(digest.offset(), digest.nextBytes(), read -> counted(found, digest, read));
    } else {
      server.dispatcher().schedule(0, () -> counted(found, digest, Completion.done(slice)));
    }
  }

  private void counted(FileResponse found, FileDigest digest, Completion<ContentSlice> read) {
    boolean wanted = session.state() == HttpSessionState.OPENING;
    switch (read) {
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        digest.take(slice);
        if (wanted) {
          count(found, digest);
        }
      }
      case Completion.Failed<ContentSlice>(Failure failure) -> {
        if (wanted) {
          session.refuse(Refusal.of(failure));
        }
      }
    }
    session.storeDone();
  }

  /** Goes on with the present response as far as window and store allow. */
  void goOn() {
    if (listing != null) {
      goOnListing(listing);
    } else {
      goOnFile(present(file));
    }
  }

  private void goOnFile(FileResponse response) {
    while (!response.ended()) {
      int bytes = response.nextBytes(Math.min(reading.mostBytesAtOnce(), responses.contentRoom()));
      if (!responses.reserveContent(bytes)) {
        awaitWindow();
        return;
      }
      ContentSlice slice = response.tryNext(bytes);
      if (slice == null) {
        session.go(HttpSessionState.READING);
        response.readNext(bytes, readPort);
        return;
      }
      responses.slice(response, slice, session.request());
    }
    session.endResponse();
  }

  private void goOnListing(ListingResponse page) {
    if (page.ended()) {
      session.endResponse();
    } else if (responses.hold(page.heldBytes())
        && responses.reserve(ListingResponse.TYPICAL_PIECE_BYTES)) {
      session.go(HttpSessionState.LISTING);
      ask(page);
    } else {
      awaitWindow();
    }
  }

  private void ask(ListingResponse page) {
    switch (page.ask()) {
      case ListingAsk.Names(Listing.Range range) ->
          reading.names(page.directory(), range, namesPort);
      case ListingAsk.Entries entries ->
          reading.list(page.directory(), entries.afterName(), entries.limit(), listPort);
      case ListingAsk.Held(SitePage piece) ->
          server.dispatcher().complete(listPort, Completion.done(piece));
    }
  }

  private void awaitWindow() {
    if (session.state() != HttpSessionState.SENDING) {
      session.go(HttpSessionState.SENDING);
    }
  }

  /** A page shows what links lead to, so that a link to a directory can end in a slash. */
  private void followLinks(ListingResponse page) {
    StorePath link = page.nextLink();
    if (link == null) {
      sendPiece(page);
    } else {
      reading.follow(link, linkPort);
    }
  }

  private void sendPiece(ListingResponse page) {
    Request asked = session.request();
    if (!page.begun()) {
      if (asked.refusesPages()) {
        session.refuse(Refusal.PAGE_WITHOUT_VERSION);
        return;
      }
      responses.write(responses.answers().pageHead(page, asked));
    }
    if (asked.head()) {
      session.endResponse();
    } else {
      responses.write(responses.answers().piece(page));
      goOn();
    }
  }

  private void storeFailed(Failure failure, boolean begun) {
    if (begun) {
      session.breakOff();
    } else {
      session.refuse(Refusal.of(failure));
    }
  }

  private static <T> T present(@Nullable T value) {
    return Invariants.present(value, "response under way");
  }
}
