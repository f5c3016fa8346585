package letters;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.AsyncFiles;
import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.ContentSlice;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps letters in a store by each way in, using nothing but what the modules of Upcall export. */
public final class Letters {
  private Letters() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws IOException, InterruptedException {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(32L << 20);
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), config)) {
      files(store);
      transaction(store.fsm());
      snapshots(store.fsm());
      asynchronously(store.fsm());
    }
    System.out.println("letters: done");
  }

  private static void files(Upcall store) throws IOException {
    store.createDirectories("/letters");
    store.write("/letters/a.txt", "Hello".getBytes(UTF_8));
    store.batch(
        List.of(new FileRequest.SetProperty("letters.count", new byte[] {1})), Durability.ASYNC);
    store.flush();
    try (Upcall.ReadStream in = store.read("/letters/a.txt")) {
      ContentSlice slice = in.slice(0, 100);
      System.out.println("letters: " + slice.sizeBytes() + " bytes");
      slice.release();
    }
    try {
      store.readAllBytes("/letters/none.txt");
      throw new AssertionError("found what is not there");
    } catch (UpcallException refused) {
      if (!(refused.failure() instanceof Failure.NotFound)) {
        throw refused;
      }
    }
    StoreInfo info = store.info();
    System.out.println("letters: a store of " + info.sizeBytes() + " bytes");
  }

  private static void transaction(FsmUpcall store) throws IOException {
    try (UpcallTransaction both = store.begin()) {
      both.write("/letters/b.txt", both.readAllBytes("/letters/a.txt"));
      both.rename("/letters/a.txt", "/letters/c.txt", Existence.ANY);
      both.commit();
    }
  }

  private static void snapshots(FsmUpcall store) throws IOException {
    NamedSnapshot named = store.createSnapshot("first");
    store.delete("/letters/b.txt");
    try (UpcallSnapshot then = store.snapshot(named.name())) {
      System.out.println("letters: kept " + then.readAllBytes("/letters/b.txt").length + " bytes");
    }
    store.dropSnapshot(named.name());
  }

  private static void asynchronously(FsmUpcall store) throws IOException, InterruptedException {
    List<Completion<FileInfo>> answers = new ArrayList<>();
    try (AsyncFiles files = store.newAsyncFiles()) {
      files.stat(StorePath.of("/letters/c.txt"), LinkPolicy.FOLLOW, answers::add);
      while (answers.isEmpty()) {
        files.await(1);
      }
    }
    switch (answers.getFirst()) {
      case Completion.Done<FileInfo>(FileInfo found) ->
          System.out.println("letters: " + found.name() + " has " + found.sizeBytes() + " bytes");
      case Completion.Failed<FileInfo>(Failure why) -> throw new IOException(why.message());
    }
  }
}
