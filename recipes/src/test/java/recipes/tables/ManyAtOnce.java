package recipes.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.request.FileRequest;
import dev.upcall.request.Look;
import dev.upcall.request.TableRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Requests as values: a thousand entries in one commit. */
public final class ManyAtOnce {
  private ManyAtOnce() {}

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      // begin
      List<FileRequest> all = new ArrayList<>();
      all.add(new TableRequest.CreateTable("/t"));
      for (int i = 0; i < 1000; i++) {
        byte[] key = "%04d".formatted(i).getBytes(UTF_8);
        all.add(new TableRequest.PutEntry("/t", key, key));
      }
      store.batch(all); // all or nothing, one record of the log
      // end
      System.out.println(store.ask(new Look.EntryCount("/t")));
    }
  }
}
