package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.StateMachine;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import java.util.function.Consumer;
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
 * so a client that reads slowly holds {@link HttpConfig.Responses#contentBytes} at most. What comes
 * behind the present request stays bytes; once there is as much of it as one read may bring, the
 * connection stops reading. Up to there it is read, since only who reads hears that a client is
 * gone. Nothing is read behind a request that its client has called the last one: a write tells as
 * well, and the end of the connection then finds no receive to cancel.
 *
 * <p>Invariants: a version that was opened is closed exactly once; {@link HttpSessionState#DONE} is
 * entered exactly once, holding nothing; no upcall blocks. Dispatcher's thread only.
 */
public final class HttpSession extends StateMachine<HttpSessionState>
    implements Connection.Listener {
  /** Requests taken in one upcall at most, so that a pipelining client lets others run. */
  private static final int REQUESTS_PER_UPCALL = 16;

  private final SessionContext server;
  private final Connection connection;
  private final RequestDecoder decoder;
  private final ResponseWriter responses;
  private final StuckWatch watch;
  private final Download download;
  private final Admission.Turn turn;
  private final AddressShares.Place place;
  private final @Nullable Origin origin;
  private final @Nullable Guard guard;
  private final @Nullable RequestLog log;
  private final Serving serving;
  private final RecordedRequest recorded;
  private @Nullable Request request;
  long requests; // how many have begun; read by Sessions
  private boolean inputEnded;
  private boolean clientMaySend;
  private boolean clientIsDone;

  /** Index in the {@link SessionTable}, whose business it is. */
  int slot;

  /** A session that waits for its first request. */
  HttpSession(SessionContext server, Connection connection, long id) {
    super(HttpSessionState.TRANSITIONS, server.dispatcher());
    this.server = server;
    this.connection = connection;
    this.recorded = new RecordedRequest(server.dispatcher().recorder());
    this.decoder = new RequestDecoder(server.config());
    this.origin = server.origin(connection);
    this.guard = server.guard(connection, origin);
    this.log = server.log(origin, guard);
    this.responses = new ResponseWriter(server, connection, this::roomFound, log);
    this.watch = new StuckWatch(server.config().timeouts());
    this.download = new Download(this, server, responses, id);
    this.turn = server.admission().turn(this::takeRequests);
    this.place = server.shares().place(connection, this::uploadIsLetIn);
    this.serving =
        new Serving(this, server, new Serving.Parts(responses, decoder, download, place, guard));
  }

  @Override
  public void received(ByteBuf bytes) {
    recorded.serve();
    switch (state()) {
      case AWAITING_REQUEST -> {
        decoder.offer(bytes);
        takeRequests();
      }
      case RECEIVING -> {
        decoder.offer(bytes);
        receive();
      }
      case OPENING, READING, LISTING, SENDING, PREPARING, STORING, COMMITTING, FINISHING, HELD -> {
        decoder.offer(bytes);
        connection.reading(mayReadAhead());
      }
      case LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE ->
          bytes.release();
    }
  }

  @Override
  public void inputEnded() {
    recorded.serve();
    inputEnded = true;
    switch (state()) {
      case AWAITING_REQUEST -> takeRequests();
      case LINGERING -> drop();
      case RECEIVING -> receive();
      case OPENING, READING, LISTING, SENDING, PREPARING, STORING, COMMITTING, FINISHING, HELD -> {
        // the client may still read
      }
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  @Override
  public void sent(int bytes) {
    recorded.serve();
    responses.sent(bytes);
    switch (state()) {
      case SENDING -> {
        download.goOn();
        takeRequests();
      }
      case AWAITING_REQUEST -> takeRequests();
      case FINISHING -> finishWhenSent();
      case OPENING, READING, LISTING, PREPARING, STORING, COMMITTING -> {} // the store's turn
      case RECEIVING, HELD -> {} // the client's, and the clock's
      case LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  /** The server's budget has room again. */
  private void roomFound() {
    recorded.serve();
    if (state() == HttpSessionState.SENDING) {
      download.goOn();
      takeRequests();
    }
  }

  @Override
  public void closed() {
    recorded.serve();
    if (!responses.isEmpty() && state() != HttpSessionState.CLOSE_PENDING) {
      server.counters().add(HttpCount.BROKEN_RESPONSES);
    }
    switch (state()) {
      case STORING -> {
        move(HttpSessionState.STORE_PENDING);
        serving.cancel();
      }
      case OPENING, READING, LISTING, PREPARING, COMMITTING, CLOSE_AND_STORE_PENDING ->
          move(HttpSessionState.STORE_PENDING);
      case AWAITING_REQUEST, SENDING, RECEIVING, FINISHING, LINGERING, CLOSE_PENDING, HELD -> end();
      case STORE_PENDING, DONE -> Invariants.check(false, "closed twice", state());
    }
  }

  /** Behind each upcall of the store: the next request, or the end that waited for it. */
  void storeDone() {
    switch (state()) {
      case CLOSE_AND_STORE_PENDING -> {
        serving.close();
        move(HttpSessionState.CLOSE_PENDING);
      }
      case STORE_PENDING -> end();
      case AWAITING_REQUEST, OPENING, READING, LISTING, SENDING -> takeRequests();
      case PREPARING, RECEIVING, STORING, COMMITTING -> takeRequests();
      case FINISHING, LINGERING, CLOSE_PENDING, HELD, DONE -> {}
    }
  }

  private void takeRequests() {
    for (int taken = 0; mayTakeRequest() && isLetIn(); taken++) {
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
      responses.begun(recorded.begin(next.method()));
      boolean secured = connection.isSecure() || (origin != null && origin.isProxy());
      Request asked = Request.of(next, server.config(), secured);
      asked.countIn(server.counters());
      clientIsDone = asked.isClientsLast();
      if (origin != null) {
        arrived(origin, next);
      }
      begin(server.owner().isLast(decoder.hasInput()) ? asked.asLast() : asked);
    }
    switch (state()) {
      case AWAITING_REQUEST,
          OPENING,
          READING,
          LISTING,
          SENDING,
          PREPARING,
          STORING,
          COMMITTING,
          HELD ->
          connection.reading(mayReadAhead() || (mayTakeRequest() && !turn.isWaiting()));
      case RECEIVING -> connection.reading(true);
      case FINISHING, LINGERING, CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  /** Those who look at all fields of a request, where there are any. */
  private void arrived(Origin from, HttpRequest next) {
    from.arrived(next.headers());
    if (from.isProxy()) {
      place.comesFrom(from.key());
    }
    if (guard != null) {
      guard.arrived(next.headers());
    }
    if (log != null) {
      log.arrived(next);
    }
  }

  private boolean mayReadAhead() {
    return !clientIsDone
        && decoder.inputBytes() < server.config().connections().receiveBufferBytes();
  }

  private boolean mayTakeRequest() {
    return state() == HttpSessionState.AWAITING_REQUEST && responses.isOpen() && !place.isWaiting();
  }

  /** Whether a request that has come may begin; else it waits as bytes, or is turned away. */
  private boolean isLetIn() {
    if (!decoder.hasInput() || turn.mayBegin()) {
      return true;
    }
    if (!turn.await()) {
      turnRequestAway();
    }
    return false;
  }

  private void turnRequestAway() {
    server.counters().add(HttpCount.REFUSED_REQUESTS);
    refuseUnread(Refusal.TOO_MANY_REQUESTS);
  }

  private void begin(Request asked) {
    request = asked;
    serving.begin(asked);
  }

  private void uploadIsLetIn() {
    recorded.serve();
    begin(request());
    takeRequests();
  }

  private void receive() {
    serving.receiver().receive();
    takeRequests();
  }

  /** The answer of the rules was held back for a while. */
  void heldLongEnough(Refusal refusal) {
    recorded.serve();
    if (state() == HttpSessionState.HELD) {
      refuse(refusal);
      takeRequests();
    }
  }

  // ---- what the parts that serve a request ask of the machine

  /** Moves the machine. */
  void go(HttpSessionState next) {
    move(next);
  }

  private void move(HttpSessionState next) {
    become(next);
    turn.moved(next.isInStore());
    if (place.isWaiting()) {
      place.endUpload(); // the request that waited is answered otherwise, or gone
    }
  }

  /** The request that is being answered. */
  Request request() {
    return Invariants.present(request, "request under way");
  }

  /** What the request that is being answered wants to change. */
  ChangeRequest change() {
    return Invariants.present(request().change(), "change under way");
  }

  /** Whether the client will send no more. */
  boolean hasInputEnded() {
    return inputEnded;
  }

  /** The request that is being answered; the last one if the server wants that by now. */
  Request requestToAnswer() {
    return server.owner().isLast(decoder.hasInput()) ? makeLast() : request();
  }

  /** Makes the request under way the last of the connection. */
  Request makeLast() {
    Request last = request().asLast();
    request = last;
    return last;
  }

  /** A response that has begun cannot go on: the connection is all that can still say so. */
  void breakOff() {
    server.counters().add(HttpCount.BROKEN_RESPONSES);
    drop();
  }

  /** Says why there is no other answer. A small body is read over, a large one ends it all. */
  void refuse(Refusal refusal) {
    Refusal told = guard == null ? refusal : guard.instead(refusal);
    refuse(asked -> responses.write(responses.answers().refusal(told, asked)));
  }

  /** The same with an answer that says more. */
  void refuse(Consumer<Request> answer) {
    request = request().asRefused(decoder.insideBody());
    Request asked = requestToAnswer();
    clientMaySend = !asked.keepAlive();
    answer.accept(asked);
    endResponse();
  }

  /** The response was written whole. */
  void endResponse() {
    boolean last = !request().keepAlive() || server.owner().isClosing();
    responses.ended();
    serving.close();
    place.endUpload();
    request = null;
    if (guard != null) {
      guard.answered();
    }
    recorded.end(/* whole= */ true);
    if (last) {
      finish();
    } else if (state() != HttpSessionState.AWAITING_REQUEST) {
      move(HttpSessionState.AWAITING_REQUEST);
    }
  }

  // ---- the end of the connection

  /** Answers 503 and closes: for a connection over a limit. */
  void turnAway(Refusal refusal) {
    server.counters().add(HttpCount.REFUSED_CONNECTIONS);
    refuseUnread(refusal);
  }

  /** Whether its address has more of so many connections than it may; see {@link AddressShares}. */
  boolean isOneTooManyOfItsAddress(int connections) {
    return place.isOneTooMany(connections) && (origin == null || !origin.isProxy());
  }

  private void refuseUnread(Refusal refusal) {
    request = Request.refused(refusal);
    refuse(refusal);
  }

  /** Whether its client has asked for something, or begun to, and has not got the whole answer. */
  boolean isAsked() {
    return request != null || decoder.insideMessage() || !responses.isEmpty();
  }

  /** The server closes: ends now if idle, else behind the response under way. */
  void close() {
    if (state() == HttpSessionState.AWAITING_REQUEST && !place.isWaiting()) {
      finish();
    }
  }

  /** Ends the session if it waits for its client for too long. */
  void checkTime(long nowNanos, boolean othersWait) {
    if (turn.isWaiting()) {
      if (turn.isLate(nowNanos)) {
        turnRequestAway();
      }
      return; // it is not the client who is waited for
    }
    if (place.isWaiting()) {
      if (place.isLate(nowNanos)) {
        server.counters().add(HttpCount.REFUSED_REQUESTS);
        refuse(Refusal.TOO_MANY_REQUESTS);
      }
      return;
    }
    boolean inHead = decoder.insideMessage() && responses.isEmpty();
    boolean pressed = othersWait && !responses.isEmpty() && state().awaitsClient();
    long progress = requests + connection.takenBytes() + serving.receivedBytes();
    boolean late = state() == HttpSessionState.RECEIVING && serving.isLate(nowNanos);
    if (watch.isStuck(state(), inHead, progress, nowNanos, pressed) || late) {
      server.counters().add(HttpCount.TIMEOUTS);
      if (state() == HttpSessionState.AWAITING_REQUEST && inHead) {
        server.counters().add(HttpCount.REQUEST_TIMEOUTS);
        refuseUnread(Refusal.LATE_HEAD);
      } else if (state() == HttpSessionState.RECEIVING) {
        server.counters().add(HttpCount.REQUEST_TIMEOUTS);
        makeLast();
        refuse(Refusal.LATE_BODY);
      } else {
        drop();
      }
    }
  }

  private void finish() {
    move(HttpSessionState.FINISHING);
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
      move(HttpSessionState.LINGERING);
      decoder.discardInput();
      connection.finishOutput();
      connection.reading(true);
    }
  }

  /** Closes the connection, whatever is under way: the server has waited for long enough. */
  void cutOff() {
    switch (state()) {
      case OPENING, READING, LISTING, SENDING, HELD ->
          server.counters().cutOff(/* change= */ false);
      case PREPARING, RECEIVING, STORING, COMMITTING ->
          server.counters().cutOff(/* change= */ true);
      case AWAITING_REQUEST, FINISHING, LINGERING -> {
        if (!responses.isEmpty()) {
          server.counters().cutOff(/* change= */ false); // all of it was written, and not all taken
        }
      }
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
    switch (state()) {
      case STORING -> {
        move(HttpSessionState.CLOSE_AND_STORE_PENDING);
        serving.cancel();
        connection.close();
      }
      case OPENING, READING, LISTING, PREPARING, COMMITTING -> {
        move(HttpSessionState.CLOSE_AND_STORE_PENDING);
        connection.close();
      }
      case AWAITING_REQUEST, SENDING, RECEIVING, FINISHING, LINGERING, HELD -> drop();
      case CLOSE_AND_STORE_PENDING, CLOSE_PENDING, STORE_PENDING, DONE -> {}
    }
  }

  private void drop() {
    boolean isWhole = request == null && responses.isEmpty();
    serving.close();
    move(HttpSessionState.CLOSE_PENDING);
    if (isWhole) {
      connection.end();
    } else {
      connection.close();
    }
  }

  private void end() {
    serving.close();
    responses.end();
    decoder.discardInput();
    place.leave();
    move(HttpSessionState.DONE);
    recorded.end(/* whole= */ false);
    server.owner().ended(this);
  }
}
