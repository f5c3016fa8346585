package dev.upcall.sim;

import dev.upcall.io.DiskRequest;
import java.util.function.LongUnaryOperator;

/** What the requests of one simulated device take, and in which order it serves them. */
public interface ServiceTime {
  /**
   * The device has got a request.
   *
   * @param disturbed what becomes of the time that the request would take; asked once
   * @param done runs once, in an event of its own, when the device is done with it
   */
  void serve(DiskRequest request, LongUnaryOperator disturbed, Runnable done);

  /** Whether it has heads that must move from one place to another. */
  default boolean isRotating() {
    return false;
  }
}
