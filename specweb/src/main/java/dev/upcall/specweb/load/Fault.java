package dev.upcall.specweb.load;

import java.util.Locale;

/** What can be wrong with an answer. Each one counts as an error. */
public enum Fault {
  /** No connection. */
  CONNECT,

  /** A status that is not 200. */
  STATUS,

  /** No head of a response that can be understood, or one too long. */
  HEAD,

  /** A length that is missing, or is not that of the file, or more bytes than said. */
  LENGTH,

  /** A byte that is not that of the file. */
  CONTENT,

  /** The end of the connection before that of the body. */
  EARLY_CLOSE,

  /** A connection that the server keeps although this was its last request. */
  HELD,

  /** No end in time. */
  TIMEOUT,

  /** An error of the connection. */
  BROKEN,

  /** An arrival that was not sent because too many are outstanding. */
  OVERFLOW;

  /** As it is written in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
