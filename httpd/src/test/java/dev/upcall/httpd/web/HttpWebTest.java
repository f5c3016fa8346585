package dev.upcall.httpd.web;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.SessionWorld;
import org.junit.jupiter.api.extension.ExtendWith;

/** Answers to browsers, over a simulated connection. */
@ExtendWith(BufferLeakCheck.class)
class HttpWebTest extends HttpWebBehaviour<SessionWorld> {
  @Override
  public SessionWorld newWorld(HttpConfig config) {
    return new SessionWorld(1, config);
  }
}
