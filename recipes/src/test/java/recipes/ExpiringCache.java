package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.Expiry;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.store.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/** A cache that a restart does not empty, and whose entries go by themselves. */
public final class ExpiringCache {
  // begin
  private final Upcall store;
  private final PutOptions forAnHour =
      PutOptions.WITH_PARENTS.withExpiry(Expiry.after(Duration.ofHours(1)));

  byte[] get(String key, Function<String, byte[]> compute) {
    try {
      return store.readAllBytes("/cache/" + key);
    } catch (UpcallException.NotFound missed) {
      // It was never there, or has expired.
    }
    byte[] value = compute.apply(key);
    try (Upcall.PutStream put = store.put("/cache/" + key, forAnHour)) {
      put.write(value, 0, value.length);
      put.commit(Durability.ASYNC); // waits for no disk: a crash may take it, then it is computed
    }
    return value;
  }

  // end

  ExpiringCache(Upcall store) {
    this.store = store;
  }

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (Upcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      ExpiringCache cache = new ExpiringCache(store);
      Function<String, byte[]> slow =
          key -> {
            System.out.println("computes " + key);
            return key.toUpperCase(java.util.Locale.ROOT).getBytes(UTF_8);
          };
      System.out.println(new String(cache.get("answer", slow), UTF_8));
      System.out.println(new String(cache.get("answer", slow), UTF_8));
    }
  }
}
