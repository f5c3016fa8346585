package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.content.ContentSlice;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpVerb;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.answer.Answers;
import dev.upcall.httpd.message.Request;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes the responses of one session to its connection and knows how much of them the transport
 * has not taken yet: the session's window, and its part of the server's {@link LeaseBudget}.
 */
final class ResponseWriter {
  private final Connection connection;
  private final Answers answers;
  private final HttpCounters counters;
  private final LeaseBudget budget;
  private final ResponseTimes times;
  private final Dispatcher dispatcher;
  private final Runnable whenRoom;
  private final int lowBytes;
  private final int contentBytes;
  private final int contentLowBytes;
  private final @Nullable RequestLog log;
  private long unsentBytes;
  private int reservedBytes;
  private int heldBytes;
  private boolean waitsForRoom;

  /**
   * A writer that has written nothing.
   *
   * @param whenRoom is run when {@link #reserve} said no for want of room, and there is some
   * @param log hears of what is written; null without one
   */
  ResponseWriter(
      SessionContext server, Connection connection, Runnable whenRoom, @Nullable RequestLog log) {
    this.log = log;
    this.connection = connection;
    this.budget = server.budget();
    this.whenRoom = whenRoom;
    this.counters = server.counters();
    this.answers =
        new Answers(
            server.encoder(), log == null ? counters::response : this::begins, this::buffer);
    this.times = new ResponseTimes(counters);
    this.dispatcher = server.dispatcher();
    HttpConfig.Responses limits = server.config().responses();
    this.lowBytes = limits.sendLowBytes();
    this.contentBytes = limits.contentBytes();
    this.contentLowBytes = contentBytes - (limits.sendHighBytes() - lowBytes);
  }

  /** A request was taken, and will be answered. */
  void begun(HttpVerb verb) {
    times.begun(verb, dispatcher.upcallNanos());
  }

  /** Its answer was written whole. */
  void ended() {
    times.ended();
    if (log != null) {
      log.ended();
    }
  }

  private void begins(Status status) {
    counters.response(status);
    if (log != null) {
      log.answers(status);
    }
  }

  /** Whether the client has taken enough for the next response to begin. */
  boolean isOpen() {
    return unsentBytes <= lowBytes;
  }

  /**
   * Asks to send more of what is made for this client. If not, the session goes on when its client
   * has taken something or when {@code whenRoom} is run.
   */
  boolean reserve(int bytes) {
    return isOpen() && reserveRoom(bytes);
  }

  /**
   * As {@link #reserve}, to lease content, which all clients share: more of it, so that fewer
   * writes carry a large file, while the clients together hold little.
   */
  boolean reserveContent(int bytes) {
    return unsentBytes <= (budget.isHalfTaken() ? lowBytes : contentLowBytes) && reserveRoom(bytes);
  }

  /** How many bytes of content this client may lease beside what it has not taken yet. */
  int contentRoom() {
    return budget.isHalfTaken()
        ? 0
        : (int) Math.min(contentBytes - unsentBytes, budget.leftBytes());
  }

  private boolean reserveRoom(int bytes) {
    Invariants.check(reservedBytes == 0, "reserved twice", reservedBytes);
    // Who holds something goes on: if all who do waited, none would ever give anything back.
    if (heldBytes == 0 && !findsRoom()) {
      return false;
    }
    reservedBytes = bytes;
    budget.take(bytes);
    return true;
  }

  /** As {@link #reserve}, for the memory that a whole response takes until {@link #letGo}. */
  boolean hold(int bytes) {
    if (heldBytes == 0 && bytes > 0) {
      if (!isOpen() || !findsRoom()) {
        return false;
      }
      heldBytes = bytes;
      budget.take(bytes);
    }
    return true;
  }

  /** Gives back what was held, if anything was. */
  void letGo() {
    int bytes = heldBytes;
    heldBytes = 0;
    budget.give(bytes);
  }

  private boolean findsRoom() {
    if (budget.hasRoom()) {
      return true;
    }
    if (!waitsForRoom) {
      waitsForRoom = true;
      budget.await(this::roomFound);
    }
    return false;
  }

  /** What was reserved will not be written. */
  void cancelReservation() {
    int bytes = reservedBytes;
    reservedBytes = 0;
    budget.give(bytes);
  }

  private void roomFound() {
    waitsForRoom = false;
    whenRoom.run();
  }

  /** Gives all back; the connection is gone and holds nothing. */
  void end() {
    cancelReservation();
    letGo();
    budget.give(unsentBytes);
    unsentBytes = 0;
    if (log != null) {
      log.closed();
    }
  }

  /** Whether everything was taken. */
  boolean isEmpty() {
    return unsentBytes == 0;
  }

  /** See {@link Connection.Listener#sent}. */
  void sent(int bytes) {
    unsentBytes -= bytes;
    Invariants.check(unsentBytes >= 0, "more was sent than was written", unsentBytes);
    counters.add(HttpCount.BYTES_SENT, bytes);
    times.sent(bytes, dispatcher.upcallNanos());
    budget.give(bytes);
  }

  /** What there is to say; it is written with {@link #write(ByteBuf)}. */
  Answers answers() {
    return answers;
  }

  /** Writes bytes of a response, which pass to the connection. */
  void write(ByteBuf bytes) {
    write(bytes, null);
  }

  /** A slice of a file, which passes to the connection, with what belongs around it. */
  void slice(FileResponse file, ContentSlice slice, Request request) {
    write(answers.before(file, request), slice);
    file.leased(slice);
    ByteBuf behind = answers.behind(file);
    if (behind != null) {
      write(behind);
    }
  }

  private ByteBuf buffer(int sizeBytes) {
    return connection.allocator().directBuffer(sizeBytes, sizeBytes);
  }

  private void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    int size = bytes == null ? 0 : bytes.readableBytes();
    size += slice == null ? 0 : slice.sizeBytes();
    unsentBytes += size;
    times.written(size);
    if (log != null) {
      log.written(size);
    }
    budget.take(size);
    cancelReservation();
    connection.write(bytes, slice);
  }
}
