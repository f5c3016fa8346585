package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.Errno;
import dev.upcall.io.IoClass;
import io.netty.channel.IoHandlerFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the operating system refuses: a ring, and a file larger than it may be. */
class RefusedRingTest {
  @Test
  void create_withoutMemoryForTheRing_takesEpoll() {
    for (Throwable refused :
        List.of(new IllegalStateException("mmap: ENOMEM"), new OutOfMemoryError("mmap: ENOMEM"))) {
      IoHandlerFactory none =
          _ -> {
            if (refused instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) refused;
          };
      try (NettyReactor reactor = NettyReactor.create(0, () -> none)) {
        String why = NettyReactor.ringUnavailable();
        assertEquals(why == null ? "mmap: ENOMEM" : why, reactor.noRing());
        assertEquals(NettyReactor.Transport.EPOLL, reactor.transport());
      }
    }
  }

  @Test
  void failure_ofAFileThatMayNotBeLarger_saysSo() {
    DiskRequest grow = new DiskRequest.Allocate(8, 4, IoClass.FOREGROUND_WRITE, _ -> {});
    Failure.VolumeFull refused =
        assertInstanceOf(Failure.VolumeFull.class, Errno.failure(grow, Errno.EFBIG, "v.upcall"));
    assertEquals(4 * Disk.BLOCK_BYTES, refused.neededBytes());
    assertTrue(refused.message().contains("ulimit -f"), refused.message());
    assertFalse(refused.message().contains("free;"), refused.message());
    assertEquals(
        "the file of volume v.upcall is as large as this process (ulimit -f) or its file system allows"
            + " (File too large): 16384 bytes more are needed; raise that limit, or delete files of"
            + " the store",
        refused.message());
  }
}
