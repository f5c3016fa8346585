package dev.upcall.cli.admin;

import dev.upcall.httpd.server.SocketKind;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;
import java.util.Locale;

/** The meter of what carries the sockets of an HTTP server. */
record SocketMeters(SocketKind sockets) implements MeterSection {
  @Override
  public void addTo(MeterReading to) {
    to.level(
        "upcall.http.ring",
        "0 or 1",
        "1 when io_uring carries the sockets, 0 when epoll, a selector or threads do",
        sockets == SocketKind.RING || sockets == SocketKind.IO_URING ? 1 : 0);
    to.level(
        "upcall.http.sockets",
        "1",
        "always 1; the tag names what carries the sockets",
        1,
        "kind",
        sockets.name().toLowerCase(Locale.ROOT));
  }
}
