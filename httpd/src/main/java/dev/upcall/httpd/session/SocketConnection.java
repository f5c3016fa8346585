package dev.upcall.httpd.session;

/** A connection over a socket, as the server that has accepted it sees it. Dispatcher's thread. */
public interface SocketConnection extends Connection {
  /** Names the listener, once, before anything arrives. */
  void listen(Listener listener);

  /** Lets bytes come. */
  void begin();

  /** Closes a connection that came too late to get a session. */
  void refuse();
}
