package dev.upcall.httpd.clients;

/** Somebody else's program that uses a server. */
interface NetworkClient {
  /** The name of the program, as it stands on the PATH; empty for one that is always there. */
  String program();

  /** Reads and writes, and fails when anything is not as it should be. */
  void talk(ServedStore server) throws Exception;
}
