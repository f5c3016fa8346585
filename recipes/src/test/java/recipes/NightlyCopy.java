package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeProblem;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** All files as they were at one moment, copied while others write. */
public final class NightlyCopy {
  // begin
  static TreeSummary copy(FsmUpcall store, Path target) throws IOException {
    store.createSnapshot("tonight"); // stays over a restart, so that a copy can begin anew
    TreeSummary copied;
    try (UpcallSnapshot files = store.snapshot("tonight")) {
      ExportOptions all = ExportOptions.of("/", target).withPresent(Present.REPLACE);
      copied = Trees.exporting(files, all).run();
    }
    store.dropSnapshot("tonight"); // gives back what only it held
    for (TreeProblem problem : copied.problems()) {
      System.err.println("not copied: " + problem.path() + ": " + problem.reason());
    }
    return copied;
  }

  // end

  private NightlyCopy() {}

  /** The volume's path is the first argument; the copy stands beside it. */
  public static void main(String[] args) throws IOException {
    Path target = Path.of(args[0] + ".copy");
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      store.writeString("/a.txt", "one");
      store.write("/more/b.txt", "two".getBytes(UTF_8), PutOptions.WITH_PARENTS);
      System.out.println(copy(store, target).files() + " files");
      System.out.println(Files.readString(target.resolve("more/b.txt")));
      System.out.println(store.snapshots().snapshots().size() + " snapshots left");
    }
  }
}
