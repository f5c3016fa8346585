package dev.upcall.httpd;

import dev.upcall.buffer.LeaseOwner;
import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.Listing;
import dev.upcall.fileman.OpenFile;
import dev.upcall.fileman.StorePath;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.StateMachine;
import dev.upcall.segment.ContentSlice;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection: the HttpSession machine of the report (Deshpande and Lakhamraju), extended
 * from one GET to persistent connections with pipelining and flow control.
 *
 * <p>The report's machine sends and closes the file at the same time and joins the two completions.
 * Here a file is closed as soon as its last slice is leased (slices outlive their file), which
 * needs no waiting; what remains to be joined is the end of the connection with a store request
 * under way, in the three states that end in {@code PENDING}.
 *
 * <p>Flow control: content is leased only while the window of the {@link ResponseWriter} is open,
 * so a client that reads slowly holds {@link HttpConfig#sendHighBytes} at most; requests that wait
 * behind the present one stay bytes, and once there are any the connection stops reading.
 *
 * <p>Invariants: a version that was opened is closed exactly once; {@link HttpSessionState#DONE} is
 * entered exactly once, holding nothing; no upcall blocks. Dispatcher's thread only.
 */
final class HttpSession extends StateMachine<HttpSessionState> implements Connection.Listener {
  /** Requests taken in one upcall at most, so that a pipelining client lets others run. */
  private static final int REQUESTS_PER_UPCALL = 16;

  private static final String INDEX = "index.html";

  private final SessionContext server;
  private final Connection connection;
  private final RequestDecoder decoder;
  private final ResponseWriter responses;
  private final StuckWatch watch;
  private final LeaseOwner owner;
  private final CompletionPort<OpenFile> openPort = this::opened;
  private final CompletionPort<ContentSlice> readPort = this::read;
  private final CompletionPort<Listing> listPort = this::listed;
  private final CompletionPort<FileInfo> linkPort = this::linkFollowed;

  private @Nullable Request request;
  private StorePath path = StorePath.ROOT;
  private @Nullable FileResponse file;
  private @Nullable ListingResponse listing;
  private long requests;
  private boolean inputEnded;
  private boolean clientMaySend;

  /** Index in the {@link SessionTable}, whose business it is. */
  int slot;

  /** A session that waits for its first request. */
  HttpSession(SessionContext server, Connection connection, long id) {
    super(HttpSessionState.TRANSITIONS, server.dispatcher());
    this.server = server;
    this.connection = connection;
    this.decoder = new RequestDecoder(server.config());
    this.responses = new ResponseWriter(server, connection, this::roomFound);
    this.watch = new StuckWatch(server.config().timeouts());
    this.owner = new LeaseOwner("http-session", id);
  }

  @Override
  public void received(ByteBuf bytes) {
    switch (state()) {
      case AWAITING_REQUEST -> {
        decoder.offer(bytes);
        takeRequests();
      }
      case OPENING, READING, LISTING, SENDING, FINISHING -> {
        decoder.offer(bytes);
        connection.reading(false);
      }
      case LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE ->
          bytes.release();
    }
  }

  @Override
  public void inputEnded() {
    inputEnded = true;
    switch (state()) {
      case AWAITING_REQUEST -> takeRequests();
      case LINGERING -> drop();
      case OPENING, READING, LISTING, SENDING, FINISHING -> {} // the client may still read
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  @Override
  public void sent(int bytes) {
    responses.sent(bytes);
    switch (state()) {
      case SENDING -> {
        goOn();
        takeRequests();
      }
      case AWAITING_REQUEST -> takeRequests();
      case FINISHING -> finishWhenSent();
      case OPENING, READING, LISTING -> {} // goes on with the store's completion
      case LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  /** The server's budget has room again. */
  private void roomFound() {
    if (state() == HttpSessionState.SENDING) {
      goOn();
      takeRequests();
    }
  }

  @Override
  public void closed() {
    if (!responses.isEmpty() && state() != HttpSessionState.CLOSE_PENDING) {
      server.counters().brokenResponses++;
    }
    switch (state()) {
      case OPENING, READING, LISTING, CLOSE_AND_STORE_PENDING ->
          become(HttpSessionState.STORE_PENDING);
      case AWAITING_REQUEST, SENDING, FINISHING, LINGERING, CLOSE_PENDING -> end();
      case STORE_PENDING, DONE -> Invariants.check(false, "closed twice", state());
    }
  }

  private void opened(Completion<OpenFile> completion) {
    switch (completion) {
      case Completion.Done<OpenFile>(OpenFile found) when found.content() != null -> {
        server.counters().filesOpened++;
        file = new FileResponse(found);
        if (state() == HttpSessionState.OPENING) {
          serveFile(file);
        }
      }
      case Completion.Done<OpenFile> directory -> {
        if (state() == HttpSessionState.OPENING) {
          directoryFound();
        }
      }
      case Completion.Failed<OpenFile>(Failure failure) -> {
        if (state() == HttpSessionState.OPENING) {
          openFailed(failure);
        }
      }
    }
    storeDone();
  }

  private void read(Completion<ContentSlice> completion) {
    boolean wanted = state() == HttpSessionState.READING;
    switch (completion) {
      case Completion.Done<ContentSlice>(ContentSlice slice) -> {
        if (wanted) {
          responses.slice(present(file), slice, present(request));
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
    storeDone();
  }

  private void listed(Completion<Listing> completion) {
    if (state() == HttpSessionState.LISTING) {
      ListingResponse page = present(listing);
      switch (completion) {
        case Completion.Done<Listing>(Listing entries) -> {
          page.arrived(entries);
          followLinks(page);
        }
        case Completion.Failed<Listing>(Failure failure) -> {
          responses.cancelReservation();
          storeFailed(failure, page.begun());
        }
      }
    }
    storeDone();
  }

  private void linkFollowed(Completion<FileInfo> completion) {
    if (state() == HttpSessionState.LISTING) {
      ListingResponse page = present(listing);
      page.followed(completion instanceof Completion.Done<FileInfo>(FileInfo to) ? to : null);
      followLinks(page);
    }
    storeDone();
  }

  /** Behind each upcall of the store: the next request, or the end that waited for it. */
  private void storeDone() {
    switch (state()) {
      case CLOSE_AND_STORE_PENDING -> {
        closeFile();
        become(HttpSessionState.CLOSE_PENDING);
      }
      case STORE_PENDING -> end();
      case AWAITING_REQUEST, OPENING, READING, LISTING, SENDING, FINISHING, CLOSE_PENDING ->
          takeRequests();
      case LINGERING, DONE -> {}
    }
  }

  private void takeRequests() {
    for (int taken = 0; mayTakeRequest(); taken++) {
      if (taken == REQUESTS_PER_UPCALL) {
        server.dispatcher().post(this::takeRequests);
        return;
      }
      HttpRequest next = decoder.next();
      if (next == null) {
        if (inputEnded) {
          finish();
        }
        break;
      }
      requests++;
      server.counters().requests++;
      begin(Request.of(next, server.config()));
    }
    switch (state()) {
      case AWAITING_REQUEST, OPENING, READING, LISTING, SENDING ->
          connection.reading(!decoder.hasInput() || mayTakeRequest());
      case FINISHING, LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  private boolean mayTakeRequest() {
    return state() == HttpSessionState.AWAITING_REQUEST && responses.isOpen();
  }

  private void begin(Request next) {
    Request asked = server.owner().isClosing() ? next.asLast() : next;
    request = asked;
    RequestTarget target = asked.target();
    if (target == null) {
      refuse(present(asked.refusal()));
      return;
    }
    switch (StorePath.parse(target.path())) {
      case Completion.Done<StorePath>(StorePath parsed) -> {
        path = parsed;
        become(HttpSessionState.OPENING);
        server.site().openRead(target.directory() ? path.child(INDEX) : path, owner, openPort);
      }
      case Completion.Failed<StorePath> tooLong -> refuse(Status.NOT_FOUND);
    }
  }

  private void openFailed(Failure failure) {
    switch (failure) {
      case Failure.IsADirectory is -> directoryFound();
      case Failure.NotFound missing when present(request).asksForDirectory() -> list();
      default -> refuse(Status.of(failure));
    }
  }

  private void directoryFound() {
    if (present(request).asksForDirectory()) {
      list(); // the index page is itself a directory
    } else {
      Request asked = present(request);
      responses.redirect(present(asked.target()).asDirectory(), asked);
      endResponse();
    }
  }

  private void list() {
    Request asked = present(request);
    if (!asked.http11()) {
      request = asked.asLast(); // only the end tells an old client how long the page is
    }
    listing = ListingResponse.of(path, asked, server.config().listingPageEntries());
    askForPiece(listing);
  }

  private void serveFile(FileResponse found) {
    Request asked = present(request);
    boolean same = Conditions.notModified(asked, found.info());
    if (same || asked.head() || found.ended()) {
      responses.fileHead(same ? Status.NOT_MODIFIED : Status.OK, found.info(), asked);
      endResponse();
    } else {
      goOn();
    }
  }

  /** Goes on with the present response as far as window and store allow. */
  private void goOn() {
    if (listing != null) {
      goOnListing(listing);
    } else {
      goOnFile(present(file));
    }
  }

  private void goOnFile(FileResponse response) {
    while (!response.ended()) {
      if (!responses.reserve(response.nextBytes())) {
        awaitWindow();
        return;
      }
      ContentSlice slice = response.tryNext();
      if (slice == null) {
        become(HttpSessionState.READING);
        response.readNext(readPort);
        return;
      }
      responses.slice(response, slice, present(request));
    }
    endResponse();
  }

  private void goOnListing(ListingResponse page) {
    if (page.ended()) {
      endResponse();
    } else if (responses.reserve(ListingResponse.TYPICAL_PIECE_BYTES)) {
      askForPiece(page);
    } else {
      awaitWindow();
    }
  }

  private void askForPiece(ListingResponse page) {
    become(HttpSessionState.LISTING);
    server.site().list(page.directory(), page.after(), page.pieceEntries(), listPort);
  }

  private void awaitWindow() {
    if (state() != HttpSessionState.SENDING) {
      become(HttpSessionState.SENDING);
    }
  }

  /** A page shows what links lead to, so that a link to a directory can end in a slash. */
  private void followLinks(ListingResponse page) {
    StorePath link = page.nextLink();
    if (link == null) {
      sendPiece(page);
    } else {
      server.site().stat(link, linkPort);
    }
  }

  private void sendPiece(ListingResponse page) {
    Request asked = present(request);
    if (!page.begun()) {
      responses.pageHead(asked);
    }
    if (asked.head()) {
      endResponse();
    } else {
      responses.piece(page);
      goOn();
    }
  }

  private void storeFailed(Failure failure, boolean begun) {
    if (begun) {
      server.counters().brokenResponses++;
      drop();
    } else {
      refuse(Status.of(failure));
    }
  }

  private void refuse(Status status) {
    Request asked = present(request);
    clientMaySend = !asked.keepAlive();
    responses.plain(status, asked);
    endResponse();
  }

  private void endResponse() {
    boolean last = !present(request).keepAlive() || server.owner().isClosing();
    closeFile();
    listing = null;
    request = null;
    if (last) {
      finish();
    } else if (state() != HttpSessionState.AWAITING_REQUEST) {
      become(HttpSessionState.AWAITING_REQUEST);
    }
  }

  private void closeFile() {
    if (file != null) {
      file.close();
      file = null;
      server.counters().filesClosed++;
    }
  }

  /** Answers 503 and closes: for a connection over the limit. */
  void turnAway() {
    server.counters().refusedConnections++;
    refuseUnread(Status.SERVICE_UNAVAILABLE);
  }

  private void refuseUnread(Status status) {
    request = Request.refused(status, true, false, false);
    refuse(status);
  }

  /** The server closes: ends now if idle, else behind the response under way. */
  void close() {
    if (state() == HttpSessionState.AWAITING_REQUEST) {
      finish();
    }
  }

  /** Ends the session if it waits for its client for too long. */
  void checkTime(long nowNanos, boolean othersWait) {
    boolean inHead = decoder.insideMessage() && responses.isEmpty();
    boolean pressed = othersWait && !responses.isEmpty() && state().awaitsClient();
    long progress = requests + connection.takenBytes();
    if (watch.isStuck(state(), inHead, progress, nowNanos, pressed)) {
      server.counters().timeouts++;
      if (state() == HttpSessionState.AWAITING_REQUEST && inHead) {
        refuseUnread(Status.REQUEST_TIMEOUT);
      } else {
        drop();
      }
    }
  }

  private void finish() {
    become(HttpSessionState.FINISHING);
    finishWhenSent();
  }

  /**
   * Closes once the client has all. Bytes that it still sends, or that were never decoded, would
   * make the kernel answer with a reset, which may destroy the response on its way; so they are
   * read until the client closes.
   */
  private void finishWhenSent() {
    if (!responses.isEmpty()) {
      return;
    }
    if (inputEnded || !(clientMaySend || decoder.insideMessage())) {
      drop();
    } else {
      become(HttpSessionState.LINGERING);
      decoder.discardInput();
      connection.finishOutput();
      connection.reading(true);
    }
  }

  /** Closes the connection, whatever is under way. */
  void giveUp() {
    switch (state()) {
      case OPENING, READING, LISTING -> {
        become(HttpSessionState.CLOSE_AND_STORE_PENDING);
        connection.close();
      }
      case AWAITING_REQUEST, SENDING, FINISHING, LINGERING -> drop();
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  private void drop() {
    closeFile();
    become(HttpSessionState.CLOSE_PENDING);
    connection.close();
  }

  private void end() {
    closeFile();
    responses.end();
    decoder.discardInput();
    become(HttpSessionState.DONE);
    server.owner().ended(this);
  }

  private static <T> T present(@Nullable T value) {
    return Invariants.present(value, "response under way");
  }
}
