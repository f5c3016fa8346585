package dev.upcall.httpd.socket;

import dev.upcall.fsm.Dispatcher;
import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the connections of one listening socket by an entry that stays in the ring. When the
 * kernel cannot make one more (no descriptors, no memory) it tries again after a second.
 * Dispatcher's thread.
 */
public final class RingAcceptor {
  private static final long PAUSE_NANOS = 1_000_000_000L;

  private final RingSockets home;
  private final int fd;
  private final Consumer<RingSocket> to;
  private final ArrayDeque<Integer> accepted = new ArrayDeque<>();
  private final List<Runnable> closings = new ArrayList<>();
  private final Events events = new Events();
  private final IoRegistration registration;
  private Dispatcher.@Nullable Timer pause;
  private long accepting;
  private int inFlight;
  private boolean wanted;
  private int failed; // why, a negated errno; 0 if it has not
  private boolean closing;
  private boolean over;
  private boolean abandoned;

  RingAcceptor(RingSockets home, int fd, Consumer<RingSocket> to) {
    this.home = home;
    this.fd = fd;
    this.to = to;
    this.registration = home.register(events);
  }

  /** Whether connections are accepted, or wait in the kernel; a few may still come. */
  public void accepting(boolean on) {
    wanted = on;
    if (on) {
      arm();
    } else {
      disarm();
    }
  }

  /**
   * Accepts no more.
   *
   * @param then runs in an upcall when the kernel no longer uses the socket
   */
  public void close(Runnable then) {
    if (over) {
      home.dispatcher().post(then);
      return;
    }
    closings.add(then);
    if (closing) {
      return;
    }
    closing = true;
    wanted = false;
    if (pause != null) {
      pause.cancel();
    }
    disarm();
    if (inFlight == 0) {
      registration.cancel();
      home.dispatcher().post(events);
    }
  }

  private void arm() {
    if (wanted && accepting == 0 && pause == null) {
      accepting = submit(RingEntry.accept(fd));
    }
  }

  private void disarm() {
    if (accepting != 0) {
      submit(RingEntry.cancel(accepting));
    }
  }

  private long submit(IoUringIoOps entry) {
    inFlight++;
    return registration.submit(entry);
  }

  private void completed(IoUringIoEvent completion) {
    boolean armed = RingEntry.staysArmed(completion.flags());
    int result = completion.res();
    inFlight -= armed ? 0 : 1;
    if (completion.opcode() == RingEntry.ACCEPT) {
      accepting = armed ? accepting : 0;
      if (result >= 0 && abandoned) {
        submit(RingEntry.close(result));
      } else if (result >= 0) {
        accepted.addLast(result);
      } else if (!RingEntry.isTransient(result) && !RingEntry.isCancelled(result)) {
        failed = result;
      }
    }
    if (closing && inFlight == 0) {
      registration.cancel();
    }
    if (!abandoned) {
      home.dispatcher().post(events);
    }
  }

  /** The upcall, of which there is one for each completion, and so for each connection. */
  private void tell() {
    Integer socket = accepted.pollFirst();
    if (socket != null) {
      to.accept(home.accepted(socket));
    }
    if (closing) {
      if (inFlight == 0 && accepted.isEmpty() && !over) {
        over = true;
        closings.forEach(Runnable::run);
        closings.clear();
      }
    } else if (failed != 0) {
      rest(-failed);
      failed = 0;
    } else {
      arm();
    }
  }

  private void rest(int errno) {
    pause = home.dispatcher().schedule(PAUSE_NANOS, this::goOn);
    home.dispatcher().help("a warning", () -> warned(errno), _ -> {});
  }

  /** Writing it may wait. */
  private static boolean warned(int errno) {
    System.getLogger(RingAcceptor.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "accepting a connection failed with error number {0}; those that come wait for a second",
            errno);
    return true;
  }

  private void goOn() {
    pause = null;
    arm();
  }

  /** The loop's end of it, which only appends to the dispatcher's FIFO, and the upcall. */
  private final class Events implements IoUringIoHandle, Runnable {
    @Override
    public void handle(IoRegistration from, IoEvent event) {
      completed((IoUringIoEvent) event);
    }

    @Override
    public void run() {
      tell();
    }

    /** The loop ends under it, and nobody takes connections any more. */
    @Override
    public void close() {
      abandoned = true;
      closing = true;
      disarm();
      accepted.forEach(socket -> submit(RingEntry.close(socket)));
      accepted.clear();
      if (inFlight == 0) {
        registration.cancel();
      }
    }
  }
}
