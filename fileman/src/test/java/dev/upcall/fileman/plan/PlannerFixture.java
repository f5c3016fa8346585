package dev.upcall.fileman.plan;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.background.ReclaimStep;
import dev.upcall.request.FileRequest;
import java.util.List;

/** Plans requests on a namespace of trees in memory. */
abstract class PlannerFixture {
  final MemoryTrees trees = new MemoryTrees();
  long now = 1000;

  static StorePath path(String text) {
    return StorePath.of(text);
  }

  Completion<BatchResult> run(FileRequest... requests) {
    return trees.change(new BatchPlanner(new FileBatch(now, List.of(requests))));
  }

  void done(FileRequest... requests) {
    done(run(requests));
  }

  static void done(Completion<?> completion) {
    if (completion instanceof Completion.Failed<?>(Failure failure)) {
      throw new AssertionError(failure.message());
    }
  }

  static <T> T value(Completion<T> completion) {
    done(completion);
    return ((Completion.Done<T>) completion).value();
  }

  static void failed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(how, failed.failure());
  }

  Completion<BatchResult> put(String path, String text, PutOptions options) {
    FileContent content = new FileContent.Staged(new MemoryTrees.Text(text));
    return run(new FileRequest.Put(path(path), content, options));
  }

  FileInfo put(String path, String text) {
    return value(put(path, text, PutOptions.DEFAULT)).only();
  }

  static FileRequest mkdir(String path, boolean parents) {
    return new FileRequest.CreateDirectory(
        path(path), parents ? Parents.MAKE : Parents.MUST_EXIST, MetadataChange.NONE);
  }

  void directory(String path) {
    done(mkdir(path, false));
  }

  void link(String path, String target) {
    done(new FileRequest.SymbolicLink(path(path), target, MetadataChange.NONE));
  }

  Completion<BatchResult> rename(String from, String to, Existence target) {
    return run(new FileRequest.Rename(path(from), path(to), target));
  }

  static FileRequest rename2(String from, String to) {
    return new FileRequest.Rename(path(from), path(to), Existence.ANY);
  }

  FileInfo stat(String path) {
    return stat(path, LinkPolicy.FOLLOW);
  }

  FileInfo stat(String path, LinkPolicy links) {
    return value(trees.query(Looks.stat(path(path), links)));
  }

  String read(String path) {
    return trees.content(stat(path).id());
  }

  List<String> names(String directory) {
    Looks.Page page = value(trees.query(Looks.page(path(directory), null, 1000)));
    assertNull(page.nextAfter());
    return page.entries().stream().map(FileInfo::name).toList();
  }

  int reclaimAll(int limit) {
    long directory = 0;
    for (int steps = 1; ; steps++) {
      ReclaimStep.Progress progress = value(trees.change(new ReclaimStep(directory, limit, now)));
      directory = progress.directory();
      if (!progress.more()) {
        return steps;
      }
    }
  }
}
