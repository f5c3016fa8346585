package dev.upcall;

import dev.upcall.config.ContentConfig;
import dev.upcall.config.PlaceConfig;
import dev.upcall.store.LossBound;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import java.util.Objects;

/**
 * What callers may ask of a store at once, and what a crash may take from them. {@link
 * UpcallConfig} has a method for each.
 *
 * @param files the file manager's limits
 * @param loss what a crash may take of what was acknowledged with {@code ASYNC}
 * @param transactions limits of transactions and locks; in the engines of threads they mean nothing
 * @param snapshots limits of snapshots; in the engines of threads they mean nothing
 * @param places how callers wait who bring new content, or whose handles have writes to commit
 * @param content how new content goes to its place
 */
public record StoreLimits(
    FileManagerConfig files,
    LossBound loss,
    TransactionConfig transactions,
    SnapshotConfig snapshots,
    PlaceConfig places,
    ContentConfig content) {
  /** What is used unless said otherwise. */
  public static final StoreLimits DEFAULT =
      new StoreLimits(
          FileManagerConfig.DEFAULT,
          LossBound.DEFAULT,
          TransactionConfig.DEFAULT,
          SnapshotConfig.DEFAULT,
          PlaceConfig.DEFAULT,
          ContentConfig.DEFAULT);

  /** Checks that nothing is missing. */
  public StoreLimits {
    Objects.requireNonNull(files, "files");
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(transactions, "transactions");
    Objects.requireNonNull(snapshots, "snapshots");
    Objects.requireNonNull(places, "places");
    Objects.requireNonNull(content, "content");
  }

  StoreLimits withFiles(FileManagerConfig others) {
    return new StoreLimits(others, loss, transactions, snapshots, places, content);
  }

  StoreLimits withLoss(LossBound bound) {
    return new StoreLimits(files, bound, transactions, snapshots, places, content);
  }

  StoreLimits withTransactions(TransactionConfig others) {
    return new StoreLimits(files, loss, others, snapshots, places, content);
  }

  StoreLimits withSnapshots(SnapshotConfig others) {
    return new StoreLimits(files, loss, transactions, others, places, content);
  }

  StoreLimits withPlaces(PlaceConfig others) {
    return new StoreLimits(files, loss, transactions, snapshots, others, content);
  }

  StoreLimits withContent(ContentConfig others) {
    return new StoreLimits(files, loss, transactions, snapshots, places, others);
  }
}
