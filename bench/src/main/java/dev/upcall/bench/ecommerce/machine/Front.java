package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;

/**
 * What an interaction comes through before it has pages.
 *
 * @param times that it takes there
 * @param application its processor
 * @param door which lets so many into the database at a time
 * @param database its processor
 */
public record Front(Times times, Station application, Door door, Processor database) {
  /** With nobody in it. */
  public static Front of(Dispatcher dispatcher, Times times, int inside) {
    return new Front(times, new Station(dispatcher), new Door(inside), new Processor(dispatcher));
  }
}
