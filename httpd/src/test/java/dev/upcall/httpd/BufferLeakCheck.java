package dev.upcall.httpd;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a class of tests that lost a Netty buffer, with where it was made. */
public final class BufferLeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final String SAMPLING = "io.netty.leakDetection.samplingInterval";
  private static final int WAIT_SECONDS = 60;
  private static final int COLLECTION_MILLIS = 1_000;
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

  /**
   * Makes Netty report what is lost: it does so when another buffer is allocated, of each lost
   * buffer whose weak reference the JVM has enqueued by then.
   */
  static void collect() {
    awaitCollection();
    // The JVM's reference handler takes what a collection has cleared as one list, and the next
    // list when that
    // one is done. So after the second wait all references that the first collection cleared are
    // enqueued.
    awaitCollection();
    ByteBufAllocator.DEFAULT.directBuffer(16).release();
  }

  /** Collects until a reference to garbage of its own has been enqueued. */
  private static void awaitCollection() {
    ReferenceQueue<Object> enqueued = new ReferenceQueue<>();
    WeakReference<Object> garbage = new WeakReference<>(new Object(), enqueued);
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    try {
      do {
        if (System.nanoTime() > deadlineNanos) {
          throw new AssertionError("the JVM does not collect " + garbage);
        }
        System.gc();
      } while (enqueued.remove(COLLECTION_MILLIS) == null);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
