package dev.upcall.cli.crash;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** What is in a store whose process was killed, against what was acknowledged. */
public final class Comparison {
  private Comparison() {}

  /**
   * Throws when something that a writer was told to be there is missing or altered, or anything is
   * half there. The operation under way when the process died may have happened, wholly; if so its
   * journal is told.
   *
   * @param model of the writer, before its first operation
   */
  public static void writer(Upcall store, Path folder, CrashModel model) throws IOException {
    Path path = Journal.path(folder, model.directory().substring(1));
    model.advanceTo(Journal.count(path));
    String before = difference(store, model);
    if (before.isEmpty()) {
      return;
    }
    model.advanceTo(model.done() + 1);
    String after = difference(store, model);
    check(
        after.isEmpty(),
        "%s: after %d acknowledged: %s; if one more happened: %s"
            .formatted(model.directory(), model.done() - 1, before, after));
    try (Journal journal = new Journal(path)) {
      journal.acknowledged(model.done());
    }
  }

  /** The snapshot that was acknowledged last is there, and each shows its moment, whole. */
  static void snapshots(Upcall store, Path folder, long seed) throws IOException {
    long last = Journal.count(Journal.path(folder, CrashWorker.SNAPSHOTS));
    List<String> names =
        store.fsm().snapshots().snapshots().stream().map(NamedSnapshot::name).toList();
    check(last == 0 || names.contains(Long.toString(last)), "no " + last + " in " + names);
    for (String name : names) {
      CrashModel model = new CrashModel(seed, 0);
      model.advanceTo(Long.parseLong(name));
      try (UpcallSnapshot snapshot = store.fsm().snapshot(name)) {
        String difference = difference(snapshot, model);
        check(difference.isEmpty(), "snapshot " + name + ": " + difference);
      }
    }
  }

  private static String difference(UpcallReads store, CrashModel model) {
    Map<String, FileInfo> there = new TreeMap<>();
    if (store.exists(model.directory())) {
      store.forEach(model.directory(), info -> there.put(info.name(), info));
    }
    if (!there.keySet().equals(model.files().keySet())) {
      return "names " + there.keySet() + " instead of " + model.files().keySet();
    }
    for (Map.Entry<String, List<CrashModel.Piece>> file : model.files().entrySet()) {
      byte[] found = store.readAllBytes(model.directory() + "/" + file.getKey());
      int odd = Arrays.mismatch(found, CrashModel.bytes(file.getValue()));
      if (odd >= 0) {
        return file.getKey() + " differs at " + odd + " of " + found.length;
      }
    }
    return "";
  }

  /** Walks the whole structure and reads every byte. */
  public static void verify(Upcall store) {
    verified(store);
  }

  /** The same, and what was found. */
  static VerifyReport verified(Upcall store) {
    CompletableFuture<Completion<VerifyReport>> result = new CompletableFuture<>();
    store
        .fsm()
        .execute(
            () ->
                store
                    .fsm()
                    .fileManager()
                    .store()
                    .verify(new VerifyOptions(true), (_, _) -> true, result::complete));
    if (result.join() instanceof Completion.Done<VerifyReport>(VerifyReport report)
        && report.isSound()) {
      return report;
    }
    throw new AssertionError("the structure is wrong: " + result.join());
  }

  /** Fails with a reason. */
  public static void check(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}
