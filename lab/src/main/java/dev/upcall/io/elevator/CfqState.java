package dev.upcall.io.elevator;

/** The states of {@link CfqPolicy}. */
enum CfqState {
  /** A queue has the device, or none has anything to send. */
  SERVING,
  /** The queue that has the device is empty: its asker may ask again. */
  IDLING
}
