package dev.upcall.httpd;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a class of tests that lost a Netty buffer, with where it was made. */
public final class BufferLeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final String SAMPLING = "io.netty.leakDetection.samplingInterval";
  private static final List<String> LEAKS = new CopyOnWriteArrayList<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    if (!eachIsWatched()) {
      throw new AssertionError("leak detection is " + ResourceLeakDetector.getLevel());
    }
    collect();
    LEAKS.clear();
    ByteBufUtil.setLeakListener((type, records) -> LEAKS.add(type + ": " + records));
  }

  private static boolean eachIsWatched() {
    return switch (ResourceLeakDetector.getLevel()) {
      case PARANOID -> true;
      case SIMPLE, ADVANCED -> Integer.getInteger(SAMPLING, 0) == 1;
      case DISABLED -> false;
    };
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
}
