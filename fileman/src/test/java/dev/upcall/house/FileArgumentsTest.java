package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncChanges;
import dev.upcall.AsyncFiles;
import dev.upcall.AsyncReads;
import dev.upcall.AsyncSnapshot;
import dev.upcall.AsyncTransaction;
import dev.upcall.DriveConfig;
import dev.upcall.FileHandle;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.FileSnapshot;
import dev.upcall.FileTransaction;
import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.KeySource;
import dev.upcall.config.TrafficConfig;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.content.Loan;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.ReplaceableAccess;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TablePage;
import dev.upcall.request.codec.RequestEncoder;
import dev.upcall.request.codec.Submission;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageHandle;
import dev.upcall.stage.StagePut;
import dev.upcall.stage.StageSnapshot;
import dev.upcall.stage.StageTransaction;
import dev.upcall.table.Codec;
import dev.upcall.table.Codecs;
import dev.upcall.table.EntryLines;
import dev.upcall.table.HashTable;
import dev.upcall.table.Index;
import dev.upcall.table.Pair;
import dev.upcall.table.PairCodec;
import dev.upcall.table.Range;
import dev.upcall.table.Records;
import dev.upcall.table.SortedTable;
import dev.upcall.table.Triple;
import dev.upcall.table.TripleCodec;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.FileRewrite;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.Trees;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** What fileman exports names what is wrong with an argument, at once, and the store lives on. */
public class FileArgumentsTest {
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "AsyncFiles.await(limit)",
          "where nothing is outstanding it waits for ever",
          "Access",
          "programs implement it, and the server calls it");

  private static final CopyOptions TO_COPY =
      CopyOptions.of(StorePath.of("/text"), StorePath.of("/copy"));

  private static final Index<String, String> INDEX =
      Index.of("/index", Codecs.STRING, text -> text);

  @TempDir Path folder;

  @ParameterizedTest
  @EachEngine
  void whateverEngineServes_eachArgumentIsNamed(TestedStore tested) {
    try (Upcall store = Upcall.create(folder.resolve("any.upcall"), tested.config())) {
      FaceArguments face = face(store.config());
      try (Opened opened = Opened.in(store)) {
        opened.subjects(face, new StoreCallers.Waiting(store));
        face.subject(Upcall.class, store, new StoreCallers.Waiting(store));
        assertEquals("", String.join("\n", face.ofSubjects()));
      }
      assertTrue(face.calls() > 100, () -> "only " + face.calls());
    }
  }

  @Test
  void eachArgumentIsNamed() {
    try (FsmUpcall store =
            Upcall.create(folder.resolve("volume.upcall"), TestedStore.RING.config()).fsm();
        AsyncFiles async = store.newAsyncFiles()) {
      FaceArguments face = face(store.config()).except(EXCEPTIONS);
      FaceArguments.Caller waiting = new StoreCallers.Waiting(store);
      FaceArguments.Caller inside = new StoreCallers.OnStoresThread(store);
      FaceArguments.Caller polling = new Polling(store, async);
      FileManager files = store.fileManager();
      try (Opened opened = Opened.in(store);
          FileRewrite rewrite = FileRewrite.of(store, "/text");
          UpcallSnapshot snapshot = store.snapshot();
          UpcallTransaction transaction = store.begin()) {
        opened.subjects(face, waiting);
        face.subject(FsmUpcall.class, store, waiting)
            .subject(Upcall.Keys.class, store.keys(), waiting)
            .subject(UpcallSnapshot.class, snapshot, waiting)
            .subject(FileRewrite.class, rewrite, waiting)
            .subject(Pace.class, Pace.unlimited(), waiting)
            .subject(TreeTask.class, Trees.cloning(store, TO_COPY), waiting)
            .subject(UpcallTransaction.class, transaction, waiting)
            .subject(SortedTable.class, texts(store), waiting)
            .subject(
                EntryLines.class,
                new EntryLines(store, StorePath.of("/texts"), (value, failed) -> {}),
                waiting)
            .subject(
                HashTable.class, store.hashTable("/hashed", Codecs.STRING, Codecs.STRING), waiting)
            .subject(
                Records.class, store.records("/records", Codecs.STRING, List.of(INDEX)), waiting)
            .subject(RequestEncoder.class, new RequestEncoder(), waiting)
            .subject(FileManager.class, files, inside)
            .subject(FileSnapshot.class, value(store, FileManager::snapshot), inside)
            .subject(FileTransaction.class, value(store, FileManager::begin), inside)
            .subject(
                FileHandle.class,
                value(
                    store,
                    (FileManager all, CompletionPort<FileHandle> port) ->
                        all.open("/text", OpenMode.EXISTING, port)),
                inside)
            .subject(
                PutHandle.class,
                value(
                    store,
                    (FileManager all, CompletionPort<PutHandle> port) ->
                        all.put("/text", PutOptions.DEFAULT, port)),
                inside)
            .subject(ContentStager.class, stager(store), inside)
            .subject(AsyncFiles.class, async, polling)
            .subject(
                AsyncChanges.Put.class,
                FileArgumentsTest.<AsyncChanges.Put>polled(
                    async, (all, port) -> all.put("/text", PutOptions.DEFAULT, port)),
                polling)
            .subject(
                AsyncChanges.Handle.class,
                FileArgumentsTest.<AsyncChanges.Handle>polled(
                    async, (all, port) -> all.open("/text", OpenMode.EXISTING, port)),
                polling)
            .subject(AsyncFiles.Stager.class, polled(async, AsyncFiles::stage), polling)
            .subject(
                AsyncReads.Content.class,
                FileArgumentsTest.<AsyncReads.Content>polled(
                    async, (all, port) -> all.read("/text", port)),
                polling)
            .subject(AsyncSnapshot.class, polled(async, AsyncFiles::snapshot), polling)
            .subject(AsyncTransaction.class, polled(async, AsyncFiles::begin), polling);
        stages(store, face);
        assertEquals("", String.join("\n", face.complaints()));
      }
      assertTrue(face.calls() > 400, () -> "only " + face.calls());
    }
  }

  private static void stages(FsmUpcall store, FaceArguments face) {
    StageFiles files = store.newStageFiles(Thread::startVirtualThread);
    FaceArguments.Caller composing = new Composing(store);
    face.subject(StageFiles.class, files, composing)
        .subject(StageSnapshot.class, joined(files.snapshot()), composing)
        .subject(StageTransaction.class, joined(files.begin()), composing)
        .subject(StageContent.class, joined(files.read("/text")), composing)
        .subject(StagePut.class, joined(files.put("/staged", PutOptions.DEFAULT)), composing)
        .subject(StageHandle.class, joined(files.open("/text", OpenMode.EXISTING)), composing);
  }

  private static <T> T joined(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private FaceArguments face(UpcallConfig config) {
    return new FaceArguments(Upcall.class)
        .named("directory", () -> "/")
        .sample(StorePath.class, () -> StorePath.of("/text"))
        .sample(Loan.class, Loan::new)
        .sample(Submission.class, () -> Submission.of(new FileRequest.Delete("/text")))
        .sample(FileRequest[].class, () -> new FileRequest[] {new FileRequest.Delete("/text")})
        .sample(Path.class, () -> folder.resolve("another.upcall"))
        .sample(InputStream.class, () -> new ByteArrayInputStream(new byte[3]))
        .sample(Executor.class, () -> Runnable::run)
        .sample(ContentConfig.class, () -> ContentConfig.DEFAULT)
        .sample(TrafficConfig.class, () -> TrafficConfig.NONE)
        .sample(DriveConfig.class, () -> DriveConfig.DEFAULT)
        .sample(KeySource.class, () -> KeySource.ofBytes(new byte[32]))
        .sample(Set.class, TreeSet::new)
        .sample(DistributionSnapshot.class, () -> DistributionSnapshot.EMPTY)
        .sample(TreeProgress.class, TreeProgress::new)
        .sample(Pace.class, Pace::unlimited)
        .sample(FileManagerConfig.class, () -> FileManagerConfig.DEFAULT)
        .sample(AccessRules.class, FileArgumentsTest::rules)
        .sample(ReplaceableAccess.class, () -> new ReplaceableAccess(rules()))
        .sample(Codec.class, () -> Codecs.STRING)
        .sample(PairCodec.class, () -> Codecs.pair(Codecs.STRING, Codecs.STRING))
        .sample(TripleCodec.class, () -> Codecs.triple(Codecs.STRING, Codecs.STRING, Codecs.STRING))
        .sample(Pair.class, () -> new Pair<>("a", "b"))
        .sample(Triple.class, () -> new Triple<>("a", "b", "c"))
        .sample(Range.class, Range::all)
        .sample(TablePage.Entry.class, () -> new TablePage.Entry(new byte[1], new byte[1]))
        .sample(Index.class, () -> INDEX)
        .sample(UpcallConfig.class, () -> config);
  }

  private static AccessRules rules() {
    return UpcallException.value(AccessRules.parse("rules", "allow read / anyone"));
  }

  private static SortedTable<String, String> texts(Upcall store) {
    return store.sortedTable("/texts", Codecs.STRING, Codecs.STRING);
  }

  private static <T> T value(FsmUpcall store, BiConsumer<FileManager, CompletionPort<T>> request) {
    return UpcallException.value(store.<T>await(port -> request.accept(store.fileManager(), port)));
  }

  private static ContentStager stager(FsmUpcall store) {
    CompletableFuture<ContentStager> stager = new CompletableFuture<>();
    store.execute(() -> stager.complete(store.fileManager().stage(new LeaseOwner("test", 0))));
    return stager.join();
  }

  private static <T> T polled(AsyncFiles files, BiConsumer<AsyncFiles, CompletionPort<T>> request) {
    CompletableFuture<T> value = new CompletableFuture<>();
    request.accept(files, completion -> value.complete(UpcallException.value(completion)));
    drain(files);
    return value.join();
  }

  private static void drain(AsyncFiles files) {
    try {
      while (files.outstanding() > 0) {
        files.await(64);
      }
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  /** What is open in a store. */
  private record Opened(
      Upcall.ReadStream reading, Upcall.PutStream writing, Upcall.RandomAccess handle)
      implements AutoCloseable {
    static Opened in(Upcall store) {
      store.write("/text", new byte[10_000]);
      return new Opened(
          store.read("/text"),
          store.put("/put", PutOptions.DEFAULT),
          store.open("/text", OpenMode.EXISTING));
    }

    void subjects(FaceArguments face, FaceArguments.Caller caller) {
      face.subject(Upcall.ReadStream.class, reading, caller)
          .subject(Upcall.PutStream.class, writing, caller)
          .subject(Upcall.RandomAccess.class, handle, caller);
    }

    @Override
    public void close() {
      reading.close();
      writing.close();
      handle.abandon();
    }
  }

  /** A program that composes stages. */
  private record Composing(FsmUpcall store) implements FaceArguments.Caller {
    @Override
    public Completion<?> answer(@Nullable Object returned) {
      if (!(returned instanceof CompletionStage<?> stage)) {
        return FaceArguments.Caller.super.answer(returned);
      }
      try {
        joined(stage);
        return Completion.done();
      } catch (CompletionException failed) {
        return Completion.failed(((UpcallException) failed.getCause()).failure());
      }
    }

    @Override
    public void settle() {
      store.stat("/");
    }
  }

  /** A program on a thread of its own. */
  private record Polling(FsmUpcall store, AsyncFiles files) implements FaceArguments.Caller {
    @Override
    public void settle() {
      drain(files);
      store.stat("/");
    }
  }
}
