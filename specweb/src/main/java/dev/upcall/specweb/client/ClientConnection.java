package dev.upcall.specweb.client;

import dev.upcall.specweb.load.Answer;
import dev.upcall.specweb.load.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server, with one request at a time. Runs inside the event loop; a listener
 * that is called may ask for the next file at once.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter {
  private enum State {
    /** Not connected yet. */
    CONNECTING,

    /** A request is under way. */
    WAITING,

    /** The last response is there; the server must end the connection. */
    ENDING,

    /** Nothing is under way, and the server keeps the connection. */
    IDLE,

    /** Over; whoever waited was told. */
    OVER
  }

  private final WebClient client;
  private final ResponseReader reader = new ResponseReader();
  private final SocketChannel channel;
  private State state = State.CONNECTING;
  private WebClient.@Nullable Exchange exchange;
  private int requests;
  private long lastByteNanos;
  private long patientUntilSweep;
  private int place;

  ClientConnection(WebClient client, WebClient.Exchange first) {
    this.client = client;
    this.exchange = first;
    bePatient();
    channel = client.loop().transport().newChannel();
    channel.config().setRecvByteBufAllocator(new ExpectedBytes(this::expectedBytes));
    channel.pipeline().addLast(this);
  }

  private int expectedBytes() {
    return Math.max(1, Math.min(client.bufferBytes(), reader.expectedBytes()));
  }

  /** Where in the client's list it is. */
  int place() {
    return place;
  }

  void place(int newPlace) {
    place = newPlace;
  }

  void open(InetSocketAddress remote, @Nullable InetSocketAddress local) {
    client.loop().eventLoop().register(channel);
    if (local != null) {
      client.loop().transport().chooseLate(channel);
    }
    var connecting = local == null ? channel.connect(remote) : channel.connect(remote, local);
    connecting.addListener(
        done -> {
          Throwable cause = done.cause();
          if (cause != null) {
            String reason = String.valueOf(cause.getMessage());
            // A socket that is refused at once says so inside the request.
            client.loop().eventLoop().execute(() -> fail(Fault.CONNECT, reason));
          }
        });
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (state == State.CONNECTING) {
      write(Objects.requireNonNull(exchange));
    }
  }

  /** Sends a request over an idle connection. */
  void send(WebClient.Exchange next) {
    exchange = next;
    bePatient();
    write(next);
  }

  private void bePatient() {
    patientUntilSweep = client.sweeps() + WebClient.PATIENT_SWEEPS;
  }

  private void write(WebClient.Exchange next) {
    state = State.WAITING;
    requests++;
    reader.expect(next.entry(), next.checksContent());
    RequestText text = client.text();
    ByteBuf request = channel.alloc().directBuffer(text.maxBytes());
    text.write(next.entry(), kind(), request);
    channel.writeAndFlush(request, channel.voidPromise());
  }

  private RequestText.Kind kind() {
    if (client.config().requestsPerConnection() == 1) {
      return RequestText.Kind.ONCE;
    }
    return client.config().isLast(requests) ? RequestText.Kind.LAST : RequestText.Kind.KEPT;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      if (state != State.OVER) {
        read(in);
      }
    } finally {
      in.release();
    }
  }

  private void read(ByteBuf in) {
    switch (reader.read(in)) {
      case MORE -> {
        // The rest comes.
      }
      case COMPLETE -> complete();
      case WRONG -> fail(reader.fault(), reader.detail());
    }
  }

  private void complete() {
    lastByteNanos = client.loop().nanoTime();
    client.serverIs(reader.server());
    boolean isLast = client.config().isLast(requests);
    if (isLast && reader.keepsAlive()) {
      fail(Fault.HELD, "the server keeps a connection that it should end");
    } else if (isLast || !reader.keepsAlive()) {
      state = State.ENDING;
      bePatient();
    } else {
      state = State.IDLE;
      client.idle(this);
      answer(Answer.right(lastByteNanos));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    switch (state) {
      case ENDING -> {
        over();
        answer(Answer.right(lastByteNanos));
      }
      case WAITING -> fail(Fault.EARLY_CLOSE, reader.missing());
      case IDLE -> over();
      case CONNECTING, OVER -> {
        // The attempt to connect tells, or it was told.
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Fault fault = state == State.CONNECTING ? Fault.CONNECT : Fault.BROKEN;
    fail(fault, String.valueOf(cause.getMessage()));
  }

  /** Ends what takes too long; called at each sweep. */
  void checkTime(long nowNanos) {
    if (client.sweeps() < patientUntilSweep) {
      return;
    }
    if (state == State.ENDING) {
      if (nowNanos - lastByteNanos > client.config().holdNanos()) {
        fail(Fault.HELD, "the server has not ended the connection");
      }
    } else if (exchange != null
        && nowNanos - exchange.startNanos() > client.config().timeoutNanos()) {
      fail(Fault.TIMEOUT, "no end of the response in time");
    }
  }

  /** Ends the connection; nobody is told. */
  void abandon() {
    exchange = null;
    over();
  }

  private void fail(Fault fault, String detail) {
    if (state != State.OVER) {
      over();
      answer(Answer.wrong(client.loop().nanoTime(), fault, detail));
    }
  }

  private void over() {
    if (state != State.OVER) {
      boolean wasIdle = state == State.IDLE;
      state = State.OVER;
      client.ended(this, wasIdle);
      channel.close();
    }
  }

  private void answer(Answer answer) {
    WebClient.Exchange ended = exchange;
    exchange = null;
    if (ended != null) {
      ended.listener().answered(answer);
    }
  }
}
