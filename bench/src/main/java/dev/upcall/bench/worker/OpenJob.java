package dev.upcall.bench.worker;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.host.ProcessCpu;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Opens a store and says, when it is ready, how many {@code nanos} the opening took, from the call
 * to a store that answers (in a JVM that has done nothing else before), and how many {@code
 * logBytes} are in its log, and how many {@code cpuMillis} the process has taken so far. Option:
 * {@code volume}.
 */
final class OpenJob implements Job {
  private final FsmUpcall store;
  private final long nanos;
  private final long logBytes;
  private final long cpuMillis;

  OpenJob(Fields options) throws IOException {
    Path volume = Path.of(options.text("volume"));
    long begin = System.nanoTime();
    store = Upcall.open(volume, new DeviceChoice(options).in(UpcallConfig.DEFAULT)).fsm();
    nanos = System.nanoTime() - begin;
    cpuMillis = Math.round(ProcessCpu.seconds(ProcessHandle.current().pid()) * 1e3);
    CompletableFuture<Long> blocks = new CompletableFuture<>();
    FileManager files = store.fileManager();
    store.execute(() -> blocks.complete((long) files.store().metrics().log().usedBlocks()));
    logBytes = blocks.join() * Blocks.BYTES;
  }

  @Override
  public String greeting() {
    return "nanos=%d logBytes=%d cpuMillis=%d".formatted(nanos, logBytes, cpuMillis);
  }

  @Override
  public void close() {
    store.close();
  }
}
