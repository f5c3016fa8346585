package dev.upcall.httpd.session;

import java.util.ArrayList;
import java.util.List;

/** The sessions of a server, in no promised but always the same order; dispatcher's thread only. */
final class SessionTable {
  private final List<HttpSession> sessions = new ArrayList<>();

  int size() {
    return sessions.size();
  }

  HttpSession get(int index) {
    return sessions.get(index);
  }

  void add(HttpSession session) {
    session.slot = sessions.size();
    sessions.add(session);
  }

  /** Takes a session out; the last one takes its place. */
  void remove(HttpSession session) {
    HttpSession last = sessions.removeLast();
    if (last != session) {
      sessions.set(session.slot, last);
      last.slot = session.slot;
    }
  }
}
