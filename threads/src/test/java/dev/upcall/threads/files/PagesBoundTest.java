package dev.upcall.threads.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.pressure.Scarce;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread that changes more pages than memory has waits until a checkpoint has written some. */
class PagesBoundTest {
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT
          .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
          .withCapBytes(256L << 20)
          .withEngine(Engine.THREADS);
  private static final String TABLE = "/t";

  /** So many of the largest values are a page. */
  private static final int OF_A_PAGE = 3;

  private static final int PAGES = 2400;
  private static final int PAGES_AT_ONCE = 40;

  @TempDir Path folder;

  @Test
  @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aChangeOfMorePagesThanThereMayBe_waitsForACheckpoint() throws Exception {
    Path volume = folder.resolve("v.upcall");
    try (Upcall store = Upcall.create(volume, CONFIG)) {
      store.ask(new TableRequest.CreateTable(TABLE));
      for (int page = 0; page < PAGES; page += PAGES_AT_ONCE) {
        store.batch(puts(page, OF_A_PAGE, TableRequest.MAX_VALUE_BYTES));
      }
    }
    HeldDevice device = new HeldDevice(PowerDevice.of(volume));
    try (ThreadUpcall store = ThreadUpcall.open(device, CONFIG)) {
      store.checkpoint();
      long limit = pages(store).at().limit();
      assertTrue(limit < PAGES, () -> limit + " pages may be changed");
      AtomicInteger changed = new AtomicInteger();
      Thread writer = Thread.ofPlatform().unstarted(() -> change(store, changed));
      device.hold();
      writer.start();
      while (writer.isAlive() && !waitsForTheKeeper(writer)) {
        Thread.onSpinWait();
      }
      int before = changed.get();
      device.letGo();
      writer.join();

      // A change that begins below the limit is done.
      assertTrue(
          before > limit / 2 && before < limit + PAGES_AT_ONCE,
          () -> before + " pages changed of " + limit);
      assertEquals(PAGES, changed.get());
      assertTrue(pages(store).waited() > 0, "nobody has waited");
      VerifyReport report =
          value(
              store.<VerifyReport>amongMachines(
                  (files, port) ->
                      files.store().verify(new VerifyOptions(true), (at, of) -> true, port)));
      assertTrue(report.isSound(), report::toString);
    }
  }

  private static void change(Upcall store, AtomicInteger changed) {
    for (int page = 0; page < PAGES; page += PAGES_AT_ONCE) {
      store.batch(puts(page, 1, TableRequest.MAX_VALUE_BYTES - 1));
      changed.addAndGet(PAGES_AT_ONCE);
    }
  }

  /** Puts the first entries of some pages. */
  private static List<FileRequest> puts(int firstPage, int ofEach, int valueBytes) {
    List<FileRequest> puts = new ArrayList<>();
    for (int page = firstPage; page < firstPage + PAGES_AT_ONCE; page++) {
      for (int entry = 0; entry < ofEach; entry++) {
        byte[] key = ByteBuffer.allocate(4).putInt(page * OF_A_PAGE + entry).array();
        puts.add(new TableRequest.PutEntry(TABLE, key, new byte[valueBytes]));
      }
    }
    return puts;
  }

  /** The machines do nothing while their device is held, so what has to ask them stays there. */
  private static boolean waitsForTheKeeper(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals("dev.upcall.threads.Keeper")
                    && frame.getMethodName().equals("await"));
  }

  private static PressureCounters pages(ThreadUpcall store) {
    List<PressureCounters> all =
        value(
            store.amongMachines(
                (files, port) ->
                    port.complete(Completion.done(files.store().metrics().pressure()))));
    return all.stream().filter(each -> each.what() == Scarce.PAGES).findFirst().orElseThrow();
  }

  private static <T> T value(Completion<T> completion) {
    return ((Completion.Done<T>) completion).value();
  }

  /** A device on which the machines' writes wait, and nobody else's. */
  private static final class HeldDevice implements BlockDevice {
    private final BlockDevice device;
    private volatile CountDownLatch held = new CountDownLatch(0);

    HeldDevice(BlockDevice device) {
      this.device = device;
    }

    void hold() {
      held = new CountDownLatch(1);
    }

    void letGo() {
      held.countDown();
    }

    @Override
    public Completion<Unit> perform(DiskRequest request) {
      if (Thread.currentThread().getName().startsWith("upcall-keeper")) {
        try {
          held.await();
        } catch (InterruptedException stopped) {
          throw new IllegalStateException(stopped);
        }
      }
      return device.perform(request);
    }

    @Override
    public long sizeBlocks() {
      return device.sizeBlocks();
    }

    @Override
    public String name() {
      return device.name();
    }

    @Override
    public void close() {
      device.close();
    }
  }
}
