package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileVersion;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import java.nio.file.Path;

/** Documents that nobody overwrites unseen, with all that they have been. */
public final class VersionedDocuments {
  // begin
  private final FsmUpcall store;

  FileInfo create(String name, String text) {
    return store.write(
        "/documents/" + name,
        text.getBytes(UTF_8),
        PutOptions.WITH_PARENTS.withCondition(FileCondition.ABSENT));
  }

  /** Saves what was made of a version, if that is still the newest, and keeps it. */
  FileInfo save(String name, String text, FileVersion madeOf) {
    String path = "/documents/" + name;
    String kept = "/history/" + name + "/" + madeOf.version();
    try (UpcallTransaction both = store.begin()) {
      both.createDirectories("/history/" + name);
      both.cloneFile(path, kept, Existence.ANY); // shares its content: the size does not matter
      PutOptions onlyThat = PutOptions.DEFAULT.withCondition(FileCondition.only(madeOf));
      FileInfo saved = both.write(path, text.getBytes(UTF_8), onlyThat);
      both.commit();
      return saved;
    }
  }

  // end

  private VersionedDocuments(FsmUpcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      VersionedDocuments documents = new VersionedDocuments(store);
      FileInfo first = documents.create("plan", "draft");
      documents.save("plan", "final", first.fileVersion());
      try {
        documents.save("plan", "final, by somebody else", first.fileVersion());
      } catch (UpcallException.VersionMismatch stale) {
        System.out.println("somebody was quicker");
      }
      System.out.println(store.readString("/documents/plan"));
      store.forEach(
          "/history/plan",
          old -> System.out.println("kept " + old.sizeBytes() + " bytes of an older one"));
    }
  }
}
