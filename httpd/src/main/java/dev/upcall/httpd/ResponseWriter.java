package dev.upcall.httpd;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Invariants;
import dev.upcall.segment.ContentSlice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the responses of one session to its connection and knows how much of them the transport
 * has not taken yet: the session's window, and its part of the server's {@link LeaseBudget}.
 */
final class ResponseWriter {
  private final Connection connection;
  private final ResponseEncoder encoder;
  private final HttpCounters counters;
  private final LeaseBudget budget;
  private final ResponseTimes times;
  private final Dispatcher dispatcher;
  private final Runnable whenRoom;
  private final int lowBytes;
  private long unsentBytes;
  private int reservedBytes;
  private boolean waitsForRoom;

  /**
   * A writer that has written nothing.
   *
   * @param whenRoom is run when {@link #reserve} said no for want of room, and there is some
   */
  ResponseWriter(SessionContext server, Connection connection, Runnable whenRoom) {
    this.connection = connection;
    this.budget = server.budget();
    this.whenRoom = whenRoom;
    this.encoder = server.encoder();
    this.counters = server.counters();
    this.times = new ResponseTimes(counters);
    this.dispatcher = server.dispatcher();
    this.lowBytes = server.config().sendLowBytes();
  }

  /** A request was taken, and will be answered. */
  void begun(HttpVerb verb) {
    times.begun(verb, dispatcher.upcallNanos());
  }

  /** Its answer was written whole. */
  void ended() {
    times.ended();
  }

  /** Whether the client has taken enough for the next response to begin. */
  boolean isOpen() {
    return unsentBytes <= lowBytes;
  }

  /**
   * Asks to lease and send more. If not, the session goes on when its client has taken something or
   * when {@code whenRoom} is run.
   */
  boolean reserve(int bytes) {
    Invariants.check(reservedBytes == 0, "reserved twice", reservedBytes);
    if (!isOpen()) {
      return false;
    }
    if (!budget.hasRoom()) {
      if (!waitsForRoom) {
        waitsForRoom = true;
        budget.await(this::roomFound);
      }
      return false;
    }
    reservedBytes = bytes;
    budget.take(bytes);
    return true;
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
    budget.give(unsentBytes);
    unsentBytes = 0;
  }

  /** Whether everything was taken. */
  boolean isEmpty() {
    return unsentBytes == 0;
  }

  /** See {@link Connection.Listener#sent}. */
  void sent(int bytes) {
    unsentBytes -= bytes;
    Invariants.check(unsentBytes >= 0, "more was sent than was written", unsentBytes);
    counters.bytesSent += bytes;
    times.sent(bytes, dispatcher.upcallNanos());
    budget.give(bytes);
  }

  /** A whole response that says no more than its status. */
  void plain(Status status, Request request) {
    respond(status, encoder.plain(status, request, buffers()), null);
  }

  /** Leave to send the body of a request. */
  void proceed() {
    respond(Status.CONTINUE, encoder.proceed(buffers()), null);
  }

  /** The whole answer to a PUT: the first version of a file was made by it. */
  void stored(FileInfo file, Request request) {
    Status status = file.version() == 1 ? Status.CREATED : Status.NO_CONTENT;
    respond(status, encoder.stored(status, file, request, buffers()), null);
  }

  /** A whole page that was made for this request. */
  void page(Page page, Request request) {
    respond(page.status(), encoder.page(page, request, buffers()), null);
  }

  /** A whole redirect. */
  void redirect(String location, Request request) {
    respond(Status.MOVED_PERMANENTLY, encoder.redirect(location, request, buffers()), null);
  }

  /** The head of a file without its content, or the whole of its 304. */
  void fileHead(FileResponse file, Request request) {
    respond(file.status(), encoder.file(file, request, buffers()), null);
  }

  /** A whole 416, which says how many bytes there are. */
  void rangeRefused(FileResponse file, Request request) {
    long sizeBytes = file.info().sizeBytes();
    respond(file.status(), encoder.rangeRefused(sizeBytes, request, buffers()), null);
  }

  /**
   * A slice of a file, which passes to the connection. The head goes with the first one: until that
   * has come, the answer may still be 500.
   */
  void slice(FileResponse file, ContentSlice slice, Request request) {
    if (file.begun()) {
      write(null, slice);
    } else {
      respond(file.status(), encoder.file(file, request, buffers()), slice);
    }
    file.leased(slice);
  }

  /** The head of a directory's page. */
  void pageHead(boolean json, Request request) {
    respond(Status.OK, encoder.page(json, request, buffers()), null);
  }

  /** A piece of a directory's page. */
  void piece(ListingResponse page) {
    write(page.render(buffers()), null);
  }

  private ByteBufAllocator buffers() {
    return connection.allocator();
  }

  private void respond(Status status, ByteBuf head, @Nullable ContentSlice slice) {
    counters.response(status);
    write(head, slice);
  }

  private void write(@Nullable ByteBuf bytes, @Nullable ContentSlice slice) {
    int size = bytes == null ? 0 : bytes.readableBytes();
    size += slice == null ? 0 : slice.sizeBytes();
    unsentBytes += size;
    times.written(size);
    budget.take(size);
    cancelReservation();
    connection.write(bytes, slice);
  }
}
