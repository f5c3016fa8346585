package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

/** What all suites with buffers rely on: one that is lost is found, and where it was made. */
class BufferLeakCheckTest {
  private final BufferLeakCheck check = new BufferLeakCheck();

  @Test
  void aLostBufferIsNamedWithWhereItWasMade() {
    check.beforeAll(null);
    lose();
    AssertionError error = assertThrows(AssertionError.class, () -> check.afterAll(null));
    assertTrue(error.getMessage().contains("BufferLeakCheckTest.lose"), error::getMessage);
  }

  @Test
  void aReleasedOneIsNot() {
    check.beforeAll(null);
    ByteBufAllocator.DEFAULT.directBuffer(16).release();
    check.afterAll(null);
  }

  private static void lose() {
    ByteBufAllocator.DEFAULT.directBuffer(16).writeByte(1);
  }
}
