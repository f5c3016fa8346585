package dev.upcall.cli.failover;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.OtherEngines;
import dev.upcall.fileman.blocking.VolumeStart;
import dev.upcall.fileman.blocking.VolumeUpcall;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.ListeningSocket;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.VolumeClaim;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of a standby, at which it can begin to listen while the owner still does, on the
 * thread that will be the store's; and what it answers to the owner. Any thread.
 */
public final class SuccessorPort implements AutoCloseable {
  private final VolumeClaim claim;
  private final UpcallConfig config;
  private final Endpoint endpoint;
  private final HttpConfig limits;
  private @Nullable VolumeStart start;
  private @Nullable ListeningSocket socket;
  private State state = State.ASKED;

  private enum State {
    /** The owner decides: what listens ends with the connection to it. */
    ASKED,
    /** The owner ends. */
    LEFT_TO,
    /** There is a store, or nobody wants one any more. */
    OVER
  }

  /**
   * Of a standby.
   *
   * @param config of its store
   * @param endpoint where it will serve
   * @param limits of its server
   */
  public SuccessorPort(
      VolumeClaim claim, UpcallConfig config, Endpoint endpoint, HttpConfig limits) {
    this.claim = claim;
    this.config = config;
    this.endpoint = endpoint;
    this.limits = limits;
  }

  /** What is answered to a line of the owner's: yes, or a reason why not. */
  public synchronized String answer(String line) {
    String own = Successor.PREPARE + Departure.name(endpoint.address());
    if (state == State.OVER) {
      return "it takes the store";
    } else if (line.equals(Successor.KNOWN)) {
      return Successor.YES;
    } else if (line.equals(Successor.STOP)) {
      stop();
      return Successor.YES;
    } else if (line.equals(Successor.LISTEN)) {
      return listen();
    } else if (line.equals(Successor.TAKE)) {
      return take();
    } else if (line.equals(own)) {
      return prepare();
    } else {
      return "it is to serve on %s, and was asked to %s"
          .formatted(Departure.name(endpoint.address()), line);
    }
  }

  private String prepare() {
    if (config.engine() != Engine.FSM) {
      return "it has --engine=%s, which cannot share an address"
          .formatted(config.engine().name().toLowerCase(Locale.ROOT));
    }
    stop(); // what an owner began that has thought better of it
    start = new VolumeStart(claim.path(), config);
    return Successor.YES;
  }

  private String listen() {
    VolumeStart started = start;
    if (started == null || !(started.reactor() instanceof NettyReactor reactor)) {
      return "it was not prepared";
    }
    Completion<ListeningSocket> bound =
        started.await(
            port ->
                ListeningSocket.bindBeside(
                    limits.withinMemory(config.memoryBytes()),
                    started.dispatcher(),
                    reactor,
                    endpoint,
                    port));
    return switch (bound) {
      case Completion.Done<ListeningSocket>(ListeningSocket listening) -> {
        socket = listening;
        yield Successor.YES;
      }
      case Completion.Failed<ListeningSocket>(Failure failure) -> {
        stop();
        yield "it cannot listen beside this server, as another process of the same user could: "
            + (failure instanceof Failure.Device device ? device.detail() : failure.message());
      }
    };
  }

  private String take() {
    if (socket == null) {
      return "it does not listen";
    }
    state = State.LEFT_TO;
    return Successor.YES;
  }

  /** The connection to the owner has ended: unless that has left all to this, it goes on. */
  synchronized void forsaken() {
    if (state == State.ASKED) {
      stop();
    }
  }

  private void stop() {
    state = State.ASKED;
    socket = null;
    if (start != null) {
      start.close();
      start = null;
    }
  }

  /** Opens the store, once it was waited for; nothing is answered any more. */
  public synchronized Upcall open() {
    state = State.OVER;
    if (start != null) {
      return start.open(claim);
    }
    return config.engine() == Engine.FSM
        ? VolumeUpcall.open(claim, config)
        : OtherEngines.open(claim, config);
  }

  /** What listens already; null where nothing does. */
  public synchronized @Nullable ListeningSocket socket() {
    return socket;
  }

  /** Lets everything go that is not an open store's. */
  @Override
  public synchronized void close() {
    stop();
    state = State.OVER;
  }
}
