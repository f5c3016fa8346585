package dev.upcall.httpd;

import dev.upcall.FileManager;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.relay.Relay;
import dev.upcall.httpd.relay.RelayedSite;
import org.junit.jupiter.api.Nested;

/**
 * Sessions that ask the store through a relay, in one thread: each message is one of its own turn,
 * whatever the seed has happen in between.
 */
class HttpRelayedTest {
  /** With few first slices, so that files are opened with one and without. */
  private static Site relayed(Dispatcher both, FileManager files) {
    return new RelayedSite(new Relay(both, both), Site.of(files), 2);
  }

  @Nested
  class Reading extends HttpOverStoreTest {
    @Override
    Site site(FileManager files) {
      return relayed(machine.dispatcher(), files);
    }
  }

  @Nested
  class Writing extends HttpUploadOverStoreTest {
    @Override
    Site site(FileManager files) {
      return relayed(machine.dispatcher(), files);
    }
  }
}
