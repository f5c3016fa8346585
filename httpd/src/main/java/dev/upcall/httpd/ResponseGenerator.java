package dev.upcall.httpd;

import dev.upcall.StorePath;
import dev.upcall.completion.CompletionPort;

/** A site of pages that are made when they are asked for. Dispatcher's thread. */
@FunctionalInterface
public interface ResponseGenerator {
  /**
   * Makes the page of a path for a GET or HEAD, at most some hundred kilobytes. A failure is
   * answered with its status.
   */
  void answer(StorePath path, CompletionPort<GeneratedResponse> port);
}
