package dev.upcall.fileman.trees;

import dev.upcall.FileContent;
import dev.upcall.Upcall;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.request.FileRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * One change of the store on its way from the walk to the committer.
 *
 * @param hostPath what it is about, for reports
 * @param outcome what it counts as
 * @param preparation makes the requests on the committing thread, when there is no task or it did
 *     not come to an end, and again when a batch was refused
 * @param task makes the requests on a reader thread, beside others; null when nothing is read
 */
record ImportStep(
    String hostPath,
    Outcome outcome,
    Preparation preparation,
    @Nullable FutureTask<Prepared> task) {

  /** Makes the requests of a step, reading the host's files. */
  interface Preparation {
    Prepared prepare() throws IOException;
  }

  /**
   * Requests that are ready to be committed together.
   *
   * @param sizeBytes content that they carry
   * @param costBytes what they need of a batch
   * @param attributesNotKept attributes of the file that stay behind
   */
  record Prepared(
      List<FileRequest> requests, long sizeBytes, long costBytes, long attributesNotKept) {
    private static final long REQUEST_COST_BYTES = 1024;

    /** Requests without content. */
    static Prepared of(List<FileRequest> requests) {
      return new Prepared(requests, 0, requests.size() * REQUEST_COST_BYTES, 0);
    }

    /** Gives back content that is staged for it. */
    void discardFrom(Upcall store) {
      for (FileRequest request : requests) {
        if (request instanceof FileRequest.Put put
            && put.content() instanceof FileContent.Staged staged) {
          store.discard(staged.content());
        }
      }
    }

    /** A file's request; those bytes that ride in the batch do so in whole blocks. */
    static Prepared ofFile(
        FileRequest put, long sizeBytes, long ridingBytes, long attributesNotKept) {
      long blocks = (ridingBytes + 4095) / 4096;
      return new Prepared(
          List.of(put), sizeBytes, REQUEST_COST_BYTES + blocks * 4096, attributesNotKept);
    }
  }

  /** A step that needs no reading. */
  static ImportStep ready(String hostPath, Outcome outcome, List<FileRequest> requests) {
    return new ImportStep(hostPath, outcome, () -> Prepared.of(requests), null);
  }

  /**
   * A step that a reader thread prepares.
   *
   * @param beside how, while others do the same
   * @param alone how, while nobody does
   */
  static ImportStep toRead(
      String hostPath, Outcome outcome, Preparation beside, Preparation alone) {
    return new ImportStep(hostPath, outcome, alone, new FutureTask<>(beside::prepare));
  }

  /** What comes last. */
  static ImportStep end() {
    return ready("", Outcome.NOTHING, List.of());
  }

  /** Whether it is what comes last. */
  boolean isEnd() {
    return hostPath.isEmpty();
  }

  /** Whether waiting for it takes no time. */
  boolean isReady() {
    return task == null || task.isDone();
  }
}
