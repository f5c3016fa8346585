package dev.upcall.httpd.tls;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.httpd.session.Connection;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.session.SocketConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that encrypts what a session writes to another connection and decrypts what arrives
 * over that. The session knows nothing of it: it may write at once, and what it has written leaves
 * when the handshake is over.
 *
 * <p>The handshake is computed in steps on other threads ({@link HandshakeStep}); while one of them
 * has the engine, nothing is read. Records of an open connection are made and read here, of what is
 * sent at most {@link PlainOutput#PIECE_BYTES} an upcall, and no more than that lies encrypted
 * before the transport takes it: so a client that reads slowly holds what it holds without TLS.
 *
 * <p>Each end says whether it is one. {@link #end} tells the client that it has got everything;
 * {@link #close} does not. A client that goes away without saying so may have been cut off by
 * somebody else: what it has sent whole is answered, and half a record ends the connection.
 *
 * <p>Invariants: the engine is given back exactly once, and never while a step has it; {@link
 * TlsState#CLOSED} is entered once, holding nothing. Dispatcher's thread.
 */
public final class TlsConnection extends StateMachine<TlsState>
    implements SocketConnection, Connection.Listener, FlushQueue.Entry {
  private final TlsService service;
  private final SocketConnection inner;
  private final CipherInput input;
  private final PlainOutput output = new PlainOutput();
  private final ArrayDeque<ByteBuf> meanwhile = new ArrayDeque<>(0); // what a step has not got
  private @Nullable Listener session;
  private @Nullable SSLEngine engine;
  private @Nullable HandshakeStep step;
  private Dispatcher.@Nullable Timer deadline;
  private @Nullable List<String> certificateNames; // null until it is open
  private boolean reading = true;
  private boolean innerEnded; // whatever it means
  private boolean endTold;
  private boolean needsFlush;

  TlsConnection(TlsService service, SocketConnection inner) {
    super(TlsState.TRANSITIONS, service.dispatcher());
    this.service = service;
    this.inner = inner;
    this.input = new CipherInput(service.isNative());
  }

  @Override
  public void listen(Listener listener) {
    Invariants.check(session == null, "a connection has one listener");
    session = listener;
    inner.listen(this);
  }

  @Override
  public void begin() {
    service.handshakeBegins();
    await(service.handshakeNanos());
    inner.begin();
  }

  @Override
  public void refuse() {
    inner.refuse();
  }

  private Listener session() {
    return Invariants.present(session, "a connection's listener");
  }

  private void await(long nanos) {
    stopWaiting();
    deadline = service.dispatcher().schedule(nanos, this::late);
  }

  private void stopWaiting() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  private void late() {
    switch (state()) {
      case HANDSHAKING, COMPUTING, ENDING, REFUSING -> close();
      case OPEN, FINISHED, CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> {}
    }
  }

  @Override
  public void received(ByteBuf bytes) {
    switch (state()) {
      case HANDSHAKING -> {
        input.append(bytes);
        if (engine == null && input.isPlainText()) {
          refuseWith(service.plainRefusal());
        } else {
          computeIfDue();
        }
      }
      case COMPUTING -> meanwhile.addLast(bytes);
      case OPEN -> {
        input.append(bytes);
        unwrap();
      }
      case ENDING, FINISHED, REFUSING -> bytes.release();
      case CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> bytes.release();
    }
  }

  private void computeIfDue() {
    if (!input.hasRecord()) {
      return;
    }
    HandshakeStep next = new HandshakeStep(this, service, engine, input);
    if (service.compute(next)) {
      become(TlsState.COMPUTING);
      step = next;
      inner.reading(false);
    } else {
      next.drop();
      close();
    }
  }

  /** A step is back, and the engine with it. */
  void stepped(HandshakeStep done) {
    step = null;
    engine = done.engine();
    for (ByteBuf bytes = meanwhile.pollFirst(); bytes != null; bytes = meanwhile.pollFirst()) {
      input.append(bytes);
    }
    switch (state()) {
      case COMPUTING -> goOn(done);
      case CLOSE_AND_STEP_PENDING -> {
        done.drop();
        become(TlsState.CLOSE_PENDING);
      }
      case STEP_PENDING -> {
        done.drop();
        finish();
      }
      case HANDSHAKING, OPEN, ENDING, FINISHED, REFUSING, CLOSE_PENDING, CLOSED ->
          Invariants.check(false, "a step that nobody waits for", state());
    }
  }

  private void goOn(HandshakeStep done) {
    switch (done.outcome()) {
      case AWAITS_CLIENT -> {
        done.content().release();
        writeRecords(done.output(), /* ofContent= */ false);
        if (innerEnded) {
          closeInner();
        } else {
          become(TlsState.HANDSHAKING);
          inner.reading(true);
          computeIfDue();
        }
      }
      case OPEN -> {
        writeRecords(done.output(), /* ofContent= */ false);
        certificateNames = service.completed(done);
        open(done.content());
      }
      case FAILED -> {
        done.content().release();
        refuseWith(done.output());
      }
    }
  }

  private void open(ByteBuf content) {
    become(TlsState.OPEN);
    stopWaiting();
    inner.reading(reading);
    wrapSoon();
    deliver(content);
    if (state() == TlsState.OPEN) {
      unwrap();
    }
    if (innerEnded && state() == TlsState.OPEN) {
      inputEnded();
    }
  }

  private void unwrap() {
    if (!input.hasRecord()) {
      return;
    }
    SSLEngine open = Invariants.present(engine, "an engine");
    ByteBuf plain = input.plainBuffer();
    boolean ended;
    try {
      ended = input.unwrap(open, plain) == CipherInput.Outcome.ENDED;
      answer(open);
    } catch (SSLException | RuntimeException broken) {
      plain.release();
      refuseRecord(open);
      return;
    }
    deliver(plain);
    if (ended && state() == TlsState.OPEN) {
      input.release();
      if (open.isOutboundDone()) {
        output.drop(); // the end of one way is that of the other, in TLS 1.2 and for BoringSSL
        endWhenSent();
      } else {
        tellEnd();
      }
    }
  }

  private void deliver(ByteBuf plain) {
    if (plain.isReadable()) {
      session().received(plain);
    } else {
      plain.release();
    }
  }

  /** Sends what the engine itself has to say to what has come. */
  private void answer(SSLEngine open) throws SSLException {
    if (open.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      ByteBuf records = allocator().directBuffer();
      try {
        service.wrapper().wrapControls(open, service.isNative(), records);
      } finally {
        writeRecords(records, /* ofContent= */ false);
      }
    }
  }

  private void refuseRecord(SSLEngine open) {
    refuseWith(service.wrapper().alert(open, service.isNative(), allocator()));
  }

  /** Tells the client, which may still send: read until it ends, so that it gets to know. */
  private void refuseWith(ByteBuf bytes) {
    input.release();
    output.drop();
    writeRecords(bytes, /* ofContent= */ false);
    become(TlsState.REFUSING);
    await(service.lingerNanos());
    inner.reading(true);
    sentSome();
  }

  private void endWhenSent() {
    become(TlsState.ENDING);
    await(service.handshakeNanos());
    sentSome();
  }

  @Override
  public void inputEnded() {
    innerEnded = true;
    switch (state()) {
      case HANDSHAKING -> close();
      case OPEN -> {
        if (input.isEmpty()) {
          tellEnd();
        } else {
          close();
        }
      }
      case FINISHED -> tellEnd();
      case REFUSING -> sentSome();
      case COMPUTING, ENDING -> {} // looked at when that is over
      case CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> {}
    }
  }

  private void tellEnd() {
    if (!endTold) {
      endTold = true;
      session().inputEnded();
    }
  }

  @Override
  public void sent(int bytes) {
    int plain = output.sent(bytes);
    if (plain > 0) {
      session().sent(plain);
    }
    wrapSoon();
    sentSome();
  }

  /** Goes on with an end that waits until the transport has taken everything. */
  private void sentSome() {
    if (!output.isSent()) {
      return;
    }
    switch (state()) {
      case ENDING -> closeInner();
      case FINISHED -> inner.finishOutput();
      case REFUSING -> {
        if (innerEnded) {
          closeInner();
        } else {
          inner.finishOutput();
        }
      }
      case HANDSHAKING, COMPUTING, OPEN -> {}
      case CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> {}
    }
  }

  private void closeInner() {
    become(TlsState.CLOSE_PENDING);
    inner.close();
  }

  @Override
  public void closed() {
    switch (state()) {
      case COMPUTING, CLOSE_AND_STEP_PENDING -> {
        Invariants.present(step, "a step").cancel();
        become(TlsState.STEP_PENDING);
      }
      case HANDSHAKING, OPEN, ENDING, FINISHED, REFUSING, CLOSE_PENDING -> finish();
      case STEP_PENDING, CLOSED -> Invariants.check(false, "closed twice", state());
    }
  }

  /** Lets go of everything and tells the session, which hears no more. */
  private void finish() {
    stopWaiting();
    output.drop();
    input.release();
    ReferenceCountUtil.release(engine);
    engine = null;
    if (certificateNames == null) {
      service.handshakeEnded();
    }
    become(TlsState.CLOSED);
    session().closed();
  }

  @Override
  public String address() {
    return inner.address();
  }

  @Override
  public @Nullable InetAddress peer() {
    return inner.peer();
  }

  /** Nothing of a request is known before the handshake is over. */
  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public List<String> certificateNames() {
    return certificateNames == null ? List.of() : certificateNames;
  }

  @Override
  public ByteBufAllocator allocator() {
    return inner.allocator();
  }

  @Override
  public void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    output.add(bytes, slice);
    switch (state()) {
      case HANDSHAKING, COMPUTING -> {}
      case OPEN -> wrapSoon();
      case ENDING, FINISHED, REFUSING -> output.drop();
      case CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> output.drop();
    }
  }

  private void wrapSoon() {
    if (!needsFlush && state() == TlsState.OPEN && output.isWrapDue()) {
      needsFlush = true;
      service.flushQueue().add(this);
    }
  }

  /** Encrypts a piece of what was written; the connection below is flushed behind this. */
  @Override
  public int flush() {
    needsFlush = false;
    if (state() != TlsState.OPEN || !output.isWrapDue()) {
      return 0;
    }
    SSLEngine open = Invariants.present(engine, "an engine");
    int bytes = 0;
    try {
      ByteBuf records = output.wrap(open, service.isNative(), service.wrapper(), allocator());
      bytes = records.readableBytes();
      writeRecords(records, /* ofContent= */ true);
    } catch (SSLException | RuntimeException broken) {
      refuseRecord(open);
    }
    wrapSoon();
    return bytes;
  }

  /** Hands records to the transport; the buffer passes to it. */
  private void writeRecords(ByteBuf records, boolean ofContent) {
    int size = records.readableBytes();
    if (size == 0) {
      records.release();
    } else {
      output.written(size, ofContent);
      inner.write(records, /* slice= */ null);
    }
  }

  @Override
  public void reading(boolean on) {
    reading = on;
    if (state() == TlsState.OPEN) {
      inner.reading(on);
    }
  }

  @Override
  public void finishOutput() {
    if (state() == TlsState.OPEN && wroteEnd()) {
      become(TlsState.FINISHED);
      input.release();
      inner.reading(true);
      sentSome();
    } else {
      close();
    }
  }

  @Override
  public void end() {
    if (state() == TlsState.OPEN && wroteEnd()) {
      input.release();
      endWhenSent();
    } else {
      close();
    }
  }

  private boolean wroteEnd() {
    ByteBuf records = allocator().directBuffer();
    try {
      service
          .wrapper()
          .wrapEnd(Invariants.present(engine, "an engine"), service.isNative(), records);
    } catch (SSLException | RuntimeException broken) {
      records.release();
      return false;
    }
    writeRecords(records, /* ofContent= */ false);
    return true;
  }

  @Override
  public void close() {
    switch (state()) {
      case HANDSHAKING, OPEN, ENDING, FINISHED, REFUSING -> {
        input.release();
        output.drop();
        closeInner();
      }
      case COMPUTING -> {
        Invariants.present(step, "a step").cancel();
        output.drop();
        become(TlsState.CLOSE_AND_STEP_PENDING);
        inner.close();
      }
      case CLOSE_AND_STEP_PENDING, CLOSE_PENDING, STEP_PENDING, CLOSED -> {}
    }
  }

  @Override
  public long takenBytes() {
    return inner.takenBytes();
  }
}
