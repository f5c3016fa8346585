package dev.upcall.fileman.machine;

import dev.upcall.BatchResult;
import dev.upcall.FileManagerConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.request.FileRequest;
import dev.upcall.txn.Store;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The way in for batches. Bytes of all batches under way share one budget, granted first come,
 * first served; without it batches could hold all frames between them, each waiting for one more.
 */
final class BatchQueue {
  private final Store store;
  private final FileManagerConfig config;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private long grantedBytes;
  private int staging;

  BatchQueue(Store store, FileManagerConfig config) {
    this.store = store;
    this.config = config;
  }

  private record Waiting(BatchRun run, long bytes, long asker) {}

  /** Brings the content of requests to the store, and hands them on as one, of the present time. */
  void submit(List<FileRequest> requests, BatchTarget target, CompletionPort<BatchResult> port) {
    long bytes = FileBatch.stagingBytes(requests);
    Failure tooMuch = FileBatch.refuses(config, store.staging().codecs(), requests).orElse(null);
    if (tooMuch != null) {
      requests.forEach(BatchRun::discardContent);
      store.dispatcher().complete(port, Completion.failed(tooMuch));
      return;
    }
    long granted = bytes;
    FileBatch batch = new FileBatch(store.dispatcher().clock().epochNanos(), requests);
    BatchRun run =
        new BatchRun(
            store,
            batch,
            target,
            () -> staged(granted),
            completion -> {
              grantedBytes -= granted;
              startWaiting();
              port.complete(completion);
            });
    waiting.addLast(new Waiting(run, bytes, store.dispatcher().recorder().current()));
    startWaiting();
  }

  private void startWaiting() {
    for (Waiting first = waiting.peekFirst();
        first != null && fits(first.bytes());
        first = waiting.peekFirst()) {
      waiting.removeFirst();
      grantedBytes += first.bytes();
      staging += first.bytes() == 0 ? 0 : 1;
      store.dispatcher().recorder().serving(first.asker(), first.run()::start);
    }
  }

  private boolean fits(long bytes) {
    return bytes == 0
        || (staging < config.maxStagingBatches()
            && grantedBytes + bytes <= config.maxStagingBytes());
  }

  private void staged(long bytes) {
    staging -= bytes == 0 ? 0 : 1;
    startWaiting();
  }
}
