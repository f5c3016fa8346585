package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.plan.BatchPlanner;
import dev.upcall.fileman.plan.FileBatch;
import dev.upcall.fileman.plan.Looks;
import dev.upcall.fileman.plan.MemoryTrees;
import dev.upcall.request.FileRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests under conditions, on trees in memory. */
class FileConditionTest {
  private final MemoryTrees trees = new MemoryTrees();

  @Test
  void putObeysItsCondition() {
    FileInfo first = put("/a", "x");
    FileVersion version = first.fileVersion();
    FileVersion later = new FileVersion(version.id(), version.version() + 1);
    FileVersion other = new FileVersion(version.id() + 1, version.version());
    mismatch("/a", later.tag(), version.tag(), run(put("/a", "y", FileCondition.only(later))));
    mismatch("/a", other.tag(), version.tag(), run(put("/a", "y", FileCondition.only(other))));
    mismatch("/b", version.tag(), "", run(put("/b", "y", FileCondition.only(version))));
    FileCondition nothing = FileCondition.anyOf(List.of());
    failed(Failure.VersionMismatch.class, run(put("/a", "y", nothing)));
    FileCondition otherThan = FileCondition.noneOf(List.of(later, version));
    failed(Failure.VersionMismatch.class, run(put("/a", "y", otherThan)));
    long modified = first.times().modifiedNanos();
    FileCondition earlier = FileCondition.NONE.withUnmodifiedSinceNanos(modified - 1);
    failed(Failure.VersionMismatch.class, run(put("/a", "y", earlier)));
    assertEquals("x", read("/a"));
    done(put("/a", "y", FileCondition.noneOf(List.of(later)).withUnmodifiedSinceNanos(modified)));
    done(put("/a", "z", FileCondition.anyOf(List.of(version, later))));
    done(put("/b", "z", otherThan));
    assertEquals("z", read("/a"));
  }

  /** A time that somebody has set says nothing about changes since: when it was set, does. */
  @Test
  void unmodifiedSince_ofATimeYetToCome_goesByTheLastChange() {
    long later = put("/a", "x").times().changedNanos() + 1_000_000_000_000L;
    done(
        new FileRequest.SetMetadata(
            StorePath.of("/a"),
            LinkPolicy.FOLLOW,
            MetadataChange.NONE.withModifiedNanos(later),
            FileCondition.NONE));
    long changed = stat("/a").times().changedNanos();
    FileCondition before = FileCondition.NONE.withUnmodifiedSinceNanos(changed - 1);
    failed(Failure.VersionMismatch.class, run(put("/a", "y", before)));
    done(put("/a", "z", FileCondition.NONE.withUnmodifiedSinceNanos(changed)));
    assertEquals("z", read("/a"));
  }

  @Test
  void aConditionOfExistenceAndVersionNeedsBoth() {
    FileVersion version = put("/a", "x").fileVersion();
    FileCondition absent = FileCondition.only(version).withExistence(Existence.MUST_NOT_EXIST);
    failed(Failure.AlreadyExists.class, run(put("/a", "y", absent)));
    FileCondition present = FileCondition.only(version).withExistence(Existence.MUST_EXIST);
    failed(Failure.NotFound.class, run(put("/b", "y", present)));
    done(put("/a", "y", present));
  }

  @Test
  void aFileMadeAnewIsNeverTakenForTheOneBefore() {
    FileVersion before = put("/a", "x").fileVersion();
    done(new FileRequest.Delete(path("/a")));
    assertEquals(before.version(), put("/a", "y").version(), "only the id tells them apart");
    failed(Failure.VersionMismatch.class, run(put("/a", "z", FileCondition.only(before))));
  }

  @Test
  void deletingObeysItsCondition() {
    FileVersion version = put("/a", "x").fileVersion();
    FileVersion later = new FileVersion(version.id(), version.version() + 1);
    mismatch("/a", later.tag(), version.tag(), run(delete("/a", FileCondition.only(later))));
    mismatch("/b", version.tag(), "", run(delete("/b", FileCondition.only(version))));
    failed(Failure.AlreadyExists.class, run(delete("/a", FileCondition.ABSENT)));
    failed(
        Failure.VersionMismatch.class,
        run(new FileRequest.DeleteTree(path("/a"), FileCondition.only(later))));
    done(delete("/a", FileCondition.only(version)));
    failed(Failure.NotFound.class, run(delete("/a", FileCondition.PRESENT)));
    done(new FileRequest.CreateDirectory(path("/d")));
    put("/d/x", "x");
    FileVersion tree = stat("/d").fileVersion();
    put("/d/y", "y");
    failed(
        Failure.VersionMismatch.class,
        run(new FileRequest.DeleteTree(path("/d"), FileCondition.only(tree))));
    FileCondition present = FileCondition.only(stat("/d").fileVersion());
    done(new FileRequest.DeleteTree(path("/d"), present));
  }

  @Test
  void aConditionMayWantADirectory() {
    FileVersion version = put("/a", "x").fileVersion();
    done(new FileRequest.CreateDirectory(path("/d")));
    done(new FileRequest.SymbolicLink(path("/l"), "/d", MetadataChange.NONE));
    FileCondition directory = FileCondition.NONE.ofDirectory();
    failed(Failure.NotADirectory.class, run(delete("/a", directory)));
    failed(
        Failure.NotADirectory.class, run(delete("/a", FileCondition.only(version).ofDirectory())));
    failed(Failure.NotADirectory.class, run(delete("/l", directory)));
    failed(Failure.NotFound.class, run(delete("/none", directory)));
    done(delete("/d", directory));
    assertEquals("x", read("/a"));
  }

  @Test
  void renamingObeysTheConditionOfItsTarget() {
    put("/a", "a");
    FileVersion target = put("/b", "b").fileVersion();
    FileVersion later = new FileVersion(target.id(), target.version() + 1);
    FileRequest stale = new FileRequest.Rename(path("/a"), path("/b"), FileCondition.only(later));
    mismatch("/b", later.tag(), target.tag(), run(stale));
    FileRequest missing = new FileRequest.Rename(path("/a"), path("/c"), FileCondition.PRESENT);
    failed(Failure.NotFound.class, run(missing));
    done(new FileRequest.Rename(path("/a"), path("/a"), FileCondition.only(later)));
    done(new FileRequest.Rename(path("/a"), path("/b"), FileCondition.only(target)));
    assertEquals("a", read("/b"));
  }

  @Test
  void settingMetadataObeysItsCondition() {
    FileVersion version = put("/a", "a").fileVersion();
    MetadataChange mode = MetadataChange.NONE.withMode(0600);
    FileRequest set =
        new FileRequest.SetMetadata(
            path("/a"), LinkPolicy.FOLLOW, mode, FileCondition.only(version));
    done(set);
    failed(Failure.VersionMismatch.class, run(set));
  }

  @Test
  void aConditionSeesTheRequestsBefore() {
    FileVersion version = put("/a", "x").fileVersion();
    FileRequest.Put second = put("/a", "z", FileCondition.only(version));
    failed(Failure.VersionMismatch.class, run(put("/a", "y", FileCondition.NONE), second));
    assertEquals("x", read("/a"), "nothing of the batch was done");
    done(delete("/a", FileCondition.only(version)), put("/a", "n", FileCondition.ABSENT));
    assertEquals("n", read("/a"));
  }

  @Test
  void aStateHasOneTag() {
    FileVersion version = new FileVersion(0x1ab, -1);
    assertEquals("1ab-ffffffffffffffff", version.tag());
    assertEquals(Optional.of(version), FileVersion.parse(version.tag()));
    for (String none : List.of("", "-", "1", "1-", "-1", "1AB-1", "01-1", "+1-1", "1-1 ", "g-1")) {
      assertEquals(Optional.empty(), FileVersion.parse(none), none);
    }
  }

  // ------------------------------------------------------------------ helpers

  private static StorePath path(String text) {
    return StorePath.of(text);
  }

  private Completion<BatchResult> run(FileRequest... requests) {
    return trees.change(new BatchPlanner(new FileBatch(1000, List.of(requests))));
  }

  private void done(FileRequest... requests) {
    done(run(requests));
  }

  private static BatchResult done(Completion<BatchResult> completion) {
    if (completion instanceof Completion.Failed<?>(Failure failure)) {
      throw new AssertionError(failure.message());
    }
    return ((Completion.Done<BatchResult>) completion).value();
  }

  private static Failure failed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    return assertInstanceOf(how, failed.failure());
  }

  private static void mismatch(
      String path, String expected, String found, Completion<?> completion) {
    assertEquals(
        new Failure.VersionMismatch(path, expected, found),
        failed(Failure.VersionMismatch.class, completion));
  }

  private static FileRequest.Put put(String path, String text, FileCondition condition) {
    FileContent content = new FileContent.Staged(new MemoryTrees.Text(text));
    return new FileRequest.Put(path(path), content, PutOptions.DEFAULT.withCondition(condition));
  }

  private FileInfo put(String path, String text) {
    return done(run(put(path, text, FileCondition.NONE))).only();
  }

  private static FileRequest delete(String path, FileCondition condition) {
    return new FileRequest.Delete(path(path), condition);
  }

  private FileInfo stat(String path) {
    Completion<FileInfo> found = trees.query(Looks.stat(path(path), LinkPolicy.FOLLOW));
    return ((Completion.Done<FileInfo>) found).value();
  }

  private String read(String path) {
    return trees.content(stat(path).id());
  }
}
