package dev.upcall.httpd;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a class of tests that lost a Netty buffer, with the places where it was touched. */
public final class BufferLeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID) {
      throw new AssertionError("leak detection is " + ResourceLeakDetector.getLevel());
    }
    collect();
    LEAKS.clear();
    ByteBufUtil.setLeakListener((type, records) -> LEAKS.add(type + ": " + records));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    collect();
    ByteBufUtil.setLeakListener(null);
    if (!LEAKS.isEmpty()) {
      throw new AssertionError("buffers lost: " + LEAKS);
    }
  }

  /** Losses are noticed when a lost buffer was collected and another one is allocated. */
  static void collect() {
    for (int i = 0; i < 3; i++) {
      System.gc();
      ByteBufAllocator.DEFAULT.directBuffer(16).release();
    }
  }

  static int leaks() {
    return LEAKS.size();
  }
}
