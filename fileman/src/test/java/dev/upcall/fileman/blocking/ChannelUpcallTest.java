package dev.upcall.fileman.blocking;

import dev.upcall.fileman.UpcallConfig;
import dev.upcall.io.DiskKind;

/** The facade over the state machines, on the channel. */
class ChannelUpcallTest extends UpcallBehaviour {
  @Override
  UpcallConfig config() {
    return small(DiskKind.CHANNEL);
  }
}
