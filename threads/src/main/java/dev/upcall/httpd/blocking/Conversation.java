package dev.upcall.httpd.blocking;

import dev.upcall.StorePath;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpVerb;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.answer.Answers;
import dev.upcall.httpd.answer.Errand;
import dev.upcall.httpd.answer.ResponseEncoder;
import dev.upcall.httpd.message.ChangeRequest;
import dev.upcall.httpd.message.Request;
import dev.upcall.httpd.message.RequestTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection from its first request to its end, on its own thread: the same answers as those of
 * {@code HttpSession}, in straight code that waits.
 */
final class Conversation implements Runnable {
  private static final int HEAD_BYTES = 512;

  private final ServerContext server;
  private final ClientSocket socket;
  private final Consumer<Conversation> whenEnded;
  private final SharedCounters.Stripe counters;
  private final Input input;
  private final Answers answers;
  private final ByteBuf head = Unpooled.buffer(HEAD_BYTES);
  private final String address;
  private @Nullable Refusal turnedAway;

  private @Nullable Request request;
  private boolean clientMaySend;
  private boolean brokenOff;
  private boolean answering;
  private boolean sending;
  private long sentBytes;

  /**
   * A connection that was accepted.
   *
   * @param id counts connections
   * @param whenEnded is run once, last, on the conversation's thread
   */
  Conversation(
      ServerContext server, ClientSocket socket, long id, Consumer<Conversation> whenEnded) {
    this.server = server;
    this.socket = socket;
    this.address = socket.address();
    this.whenEnded = whenEnded;
    this.counters = server.counters().of(id);
    this.input = new Input(socket, server.config());
    this.answers =
        new Answers(
            new ResponseEncoder(server.clock(), server.config()),
            status -> counters.count(counts -> counts.response(status)),
            this::buffer);
  }

  /** It is one too many, and will only hear that; before it runs. */
  void turnAway(Refusal refusal) {
    turnedAway = refusal;
  }

  /** Whose connection it is. */
  String address() {
    return address;
  }

  /** Its end of the connection, for those who end it. */
  ClientSocket socket() {
    return socket;
  }

  @Override
  public void run() {
    try {
      Refusal refusal = turnedAway;
      if (refusal != null) {
        count(counts -> counts.add(HttpCount.REFUSED_CONNECTIONS));
        refuseUnread(refusal);
      } else {
        converse();
      }
      finish();
    } catch (IOException gone) {
      if (sending && !socket.wasEnded()) {
        count(counts -> counts.add(HttpCount.BROKEN_RESPONSES));
      }
      if (answering && socket.wasEnded() && !socket.timedOut()) {
        boolean change = request().change() != null;
        count(counts -> counts.cutOff(change));
      }
    } finally {
      input.discard();
      head.release();
      if (socket.timedOut()) {
        // Before it is gone, so that nobody sees fewer connections and no reason.
        count(counts -> counts.add(HttpCount.TIMEOUTS));
      }
      whenEnded.accept(this);
    }
  }

  private void converse() throws IOException {
    for (HttpRequest next = awaitRequest(); next != null; next = awaitRequest()) {
      long begunNanos = server.clock().monotonicNanos();
      Request asked = Request.of(next, server.config(), /* secured= */ false);
      count(asked::countIn);
      request = asked;
      answering = true;
      answer(isClosing() ? makeLast() : asked);
      answering = false;
      if (brokenOff) {
        return;
      }
      HttpVerb verb = HttpVerb.of(next.method());
      long tookNanos = server.clock().monotonicNanos() - begunNanos;
      countSent(counts -> counts.took(verb, tookNanos));
      if (!request().keepAlive() || isClosing()) {
        return;
      }
    }
  }

  /** The next request; null when there will be none, or when it did not come in time. */
  private @Nullable HttpRequest awaitRequest() throws IOException {
    HttpRequest next = input.request();
    long deadlineNanos = 0;
    boolean begun = false;
    while (next == null) {
      Input.Outcome outcome;
      if (input.hasEnded()) {
        return null;
      } else if (!input.insideMessage()) {
        outcome = input.awaitFirst();
      } else {
        if (!begun) {
          begun = true;
          deadlineNanos =
              server.clock().monotonicNanos() + server.config().timeouts().receiving().headNanos();
        }
        outcome = input.awaitHead(deadlineNanos);
      }
      if (outcome == Input.Outcome.LATE) {
        count(counts -> counts.body(Refusal.LATE_HEAD));
        refuseUnread(Refusal.LATE_HEAD);
        return null;
      }
      next = input.request();
    }
    return next;
  }

  private void answer(Request asked) throws IOException {
    BlockingSite site = server.site();
    Optional<Function<StorePath, Completion<GeneratedResponse>>> pages = site.pages();
    BlockingSite.Changes changes = server.changes();
    switch (Errand.of(asked, pages.isPresent(), changes != null)) {
      case Errand.Refuse(Refusal refusal) -> refuse(refusal);
      case Errand.Options _ -> send(answers.options(requestToAnswer()));
      case Errand.Show(StorePath path) -> show(pages.orElseThrow().apply(path));
      case Errand.Read(StorePath path, RequestTarget target) ->
          new Downloading(this, server).answer(path, target);
      case Errand.Store(StorePath path) ->
          takeBody(
              () ->
                  new Uploading(this, server, input)
                      .answer(path, Invariants.present(changes, "changes")));
      case Errand.Patch(StorePath path) ->
          takeBody(
              () ->
                  new Patching(this, server, input)
                      .answer(path, Invariants.present(changes, "changes")));
      case Errand.Resume _ -> throw new IllegalStateException("refused at the start");
      case Errand.Delete(StorePath path) -> delete(path, Invariants.present(changes, "changes"));
    }
  }

  /** What answers while it reads. */
  private interface Answering {
    void run() throws IOException;
  }

  /** A PUT or PATCH takes one of the places of its address, or waits for it. */
  private void takeBody(Answering answering) throws IOException {
    if (!server.shares().beginUpload(address)) {
      count(counts -> counts.add(HttpCount.REFUSED_REQUESTS));
      refuse(Refusal.TOO_MANY_REQUESTS);
      return;
    }
    try {
      answering.run();
    } finally {
      server.shares().endUpload(address);
    }
  }

  private void show(Completion<GeneratedResponse> made) throws IOException {
    switch (made) {
      case Completion.Done<GeneratedResponse>(GeneratedResponse page) ->
          send(answers.page(page, request()));
      case Completion.Failed<GeneratedResponse>(Failure failure) -> refuse(Refusal.of(failure));
    }
  }

  private void delete(StorePath path, BlockingSite.Changes changes) throws IOException {
    ChangeRequest change = Invariants.present(request().change(), "change under way");
    if (change.forbidsExistence()) {
      refuse(Refusal.DELETE_OF_NOTHING);
      return;
    }
    switch (changes.delete(path, change.condition())) {
      case Completion.Done<Unit> done -> send(answers.deleted(requestToAnswer()));
      case Completion.Failed<Unit>(Failure failure) -> refuse(change.deleteRefused(path, failure));
    }
  }

  // ------------------------------------------------------------------ for those who answer

  /** The request that is being answered. */
  Request request() {
    return Invariants.present(request, "request under way");
  }

  /** The same; the last one if the server is closing by now. */
  Request requestToAnswer() {
    return isClosing() ? makeLast() : request();
  }

  /** Makes the request under way the last of the connection. */
  Request makeLast() {
    Request last = request().asLast();
    request = last;
    return last;
  }

  /** What there is to say. */
  Answers answers() {
    return answers;
  }

  /** Says why there is no other answer; the rest of the body is not worth waiting for. */
  void refuseRest(Refusal refusal) throws IOException {
    makeLast();
    refuse(refusal);
  }

  /** Says why there is no other answer. A small body is read over, a large one ends it all. */
  void refuse(Refusal refusal) throws IOException {
    request = request().asRefused(input.insideBody());
    Request asked = requestToAnswer();
    clientMaySend = !asked.keepAlive();
    send(answers.refusal(refusal, asked));
  }

  /** A response that has begun cannot go on: the connection is all that can still say so. */
  void breakOff() {
    brokenOff = true;
    count(counts -> counts.add(HttpCount.BROKEN_RESPONSES));
  }

  /** Sends bytes; the buffer is used up. */
  void send(ByteBuf bytes) throws IOException {
    send(bytes, null, null);
  }

  /** Sends up to two buffers, which are used up, and a slice, which stays the caller's. */
  void send(@Nullable ByteBuf bytes, @Nullable ByteBuf more, @Nullable ContentSlice slice)
      throws IOException {
    List<ByteBuffer> content = slice == null ? List.of() : slice.buffers();
    ByteBuffer[] buffers = new ByteBuffer[content.size() + 2];
    int count = 0;
    long size = 0;
    if (bytes != null) {
      buffers[count++] = bytes.nioBuffer();
    }
    if (more != null) {
      buffers[count++] = more.nioBuffer();
    }
    for (ByteBuffer piece : content) {
      buffers[count++] = piece;
    }
    ByteBuffer[] all = count == buffers.length ? buffers : Arrays.copyOf(buffers, count);
    for (ByteBuffer buffer : all) {
      size += buffer.remaining();
    }
    sending = true;
    try {
      socket.send(all);
    } finally {
      giveBack(bytes);
      giveBack(more);
    }
    sending = false;
    sentBytes += size;
    if (sentBytes >= server.config().responses().sendHighBytes()) {
      countSent(counts -> {});
    }
  }

  /** The head's buffer, unless somebody has it, or a new one. */
  private ByteBuf buffer(int sizeBytes) {
    return head.refCnt() > 1 || sizeBytes > head.capacity()
        ? Unpooled.buffer(sizeBytes)
        : head.clear().retain();
  }

  private static void giveBack(@Nullable ByteBuf bytes) {
    if (bytes != null) {
      bytes.release();
    }
  }

  /** Counts something. */
  void count(Consumer<HttpCounters> what) {
    counters.count(what);
  }

  private void countSent(Consumer<HttpCounters> what) {
    long bytes = sentBytes;
    sentBytes = 0;
    count(
        counts -> {
          counts.add(HttpCount.BYTES_SENT, bytes);
          what.accept(counts);
        });
  }

  private boolean isClosing() {
    return server.closing().getAsBoolean();
  }

  // ------------------------------------------------------------------ the end

  private void refuseUnread(Refusal refusal) throws IOException {
    request = Request.refused(refusal);
    refuse(refusal);
    countSent(counts -> {});
  }

  /**
   * Waits for a client that may still send until it closes: bytes that nobody reads would make the
   * kernel answer with a reset, which may destroy the response on its way.
   */
  private void finish() throws IOException {
    if (brokenOff || input.hasEnded() || !(clientMaySend || input.insideMessage())) {
      return;
    }
    socket.finishOutput();
    long deadlineNanos =
        server.clock().monotonicNanos() + server.config().timeouts().sending().lingerNanos();
    if (!input.readOver(deadlineNanos)) {
      count(counts -> counts.add(HttpCount.TIMEOUTS));
    }
  }
}
