package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Limit;
import dev.upcall.store.SnapshotConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The list of limits is the page's table, and says what holds. {@code -Dupcall.docs.write=true}
 * writes the table anew.
 */
class LimitListTest {
  private static final Path PAGE =
      Path.of("").toAbsolutePath().getParent().resolve("docs/limits.md");
  private static final String HEAD =
      "| limit | usually | beyond | what is limited | set by |\n|---|---|---|---|---|\n";

  @TempDir Path folder;

  @Test
  void theTableOfThePageIsTheList() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(HEAD);
    assertTrue(begin >= 0, "docs/limits.md has its table");
    int end = page.indexOf("\n\n", begin);
    String table =
        HEAD
            + LimitList.of(UpcallConfig.DEFAULT, UpcallConfig.DEFAULT_CAP_BYTES).stream()
                .map(LimitListTest::row)
                .collect(Collectors.joining("\n"));
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
    } else {
      assertEquals(
          table,
          page.substring(begin, end),
          "docs/limits.md; write it anew with -Dupcall.docs.write=true");
    }
  }

  private static String row(Limit limit) {
    // What the memory of this JVM decides is no number for a page.
    String usual = limit.name().equals("memoryBytes") ? "256 MiB, or what fits" : shown(limit);
    String setting = limit.isFixed() ? "" : "`" + limit.setting() + "`";
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(limit.name(), usual, limit.beyond().words(), limit.meaning(), setting);
  }

  private static String shown(Limit limit) {
    long usual = limit.usual();
    return switch (limit.unit()) {
      case COUNT -> String.format(Locale.ROOT, "%,d", usual);
      case BYTES ->
          usual % (1L << 30) == 0
              ? (usual >> 30) + " GiB"
              : usual % (1L << 20) == 0
                  ? (usual >> 20) + " MiB"
                  : usual % (1L << 10) == 0 ? (usual >> 10) + " KiB" : usual + " bytes";
      case NANOSECONDS -> {
        Duration span = Duration.ofNanos(usual);
        yield span.toMillis() % 1000 == 0 ? span.toSeconds() + " s" : span.toMillis() + " ms";
      }
    };
  }

  @Test
  void eachStandsThereOnceAndWithAMeaning() {
    List<Limit> all = LimitList.of(UpcallConfig.DEFAULT, UpcallConfig.DEFAULT_CAP_BYTES);
    assertEquals(all.size(), new TreeSet<>(all.stream().map(Limit::name).toList()).size());
    for (Limit limit : all) {
      assertTrue(limit.usual() > 0 && limit.value() > 0, limit::toString);
      assertEquals(limit.usual(), limit.value(), limit::toString);
      assertTrue(!limit.meaning().isEmpty() && limit.meaning().length() < 80, limit::toString);
    }
  }

  /** What is set is what the list says, and what happens beyond is what it says. */
  @ParameterizedTest
  @EachEngine
  void whatTheListSaysHolds(TestedStore tested) {
    UpcallConfig config =
        tested.config().withCapBytes(128L << 20).withSnapshots(new SnapshotConfig(5, 2));
    try (Upcall store = Upcall.create(folder.resolve("v.upcall"), config)) {
      Map<String, Limit> limits =
          store.limits().stream().collect(Collectors.toMap(Limit::name, Function.identity()));
      assertEquals(128L << 20, limits.get("capBytes").value());
      assertEquals(config.memoryBytes(), limits.get("memoryBytes").value());
      assertEquals(config.engine() == Engine.FSM, limits.containsKey("snapshots.maxOpen"));

      String longest = "n".repeat(value(limits, "path.maxNameBytes"));
      store.writeString("/" + longest, "");
      refused(limits, "path.maxNameBytes", () -> store.writeString("/" + longest + "n", ""));
      String path = "/n".repeat(value(limits, "path.maxNames") + 1);
      refused(limits, "path.maxNames", () -> store.exists(path));
      String target = "t".repeat(value(limits, "link.maxTargetBytes"));
      store.symbolicLink("/target", target);
      refused(limits, "link.maxTargetBytes", () -> store.symbolicLink("/longer", target + "t"));
      byte[] property = new byte[value(limits, "property.maxBytes") + 1];
      refused(limits, "property.maxBytes", () -> store.setProperty("p", property));
      store.ask(new TableRequest.CreateTable("/t"));
      byte[] key = new byte[value(limits, "table.maxKeyBytes")];
      byte[] content = new byte[value(limits, "table.maxValueBytes")];
      store.ask(new TableRequest.PutEntry("/t", key, content));
      byte[] longer = new byte[key.length + 1];
      byte[] larger = new byte[content.length + 1];
      refused(
          limits,
          "table.maxKeyBytes",
          () -> store.ask(new TableRequest.PutEntry("/t", longer, content)));
      refused(
          limits,
          "table.maxValueBytes",
          () -> store.ask(new TableRequest.PutEntry("/t", key, larger)));
      int links = value(limits, "link.maxFollowed");
      store.writeString("/l0", "");
      for (int i = 1; i <= links + 1; i++) {
        store.symbolicLink("/l" + i, "l" + (i - 1));
      }
      store.stat("/l" + links);
      refused(limits, "link.maxFollowed", () -> store.stat("/l" + (links + 1)));
      MetadataChange many = MetadataChange.NONE;
      for (int i = 0; i <= value(limits, "attributes.maxCount"); i++) {
        many = many.withAttribute("a" + i, new byte[1]);
      }
      MetadataChange tooMany = many;
      refused(
          limits,
          "attributes.maxCount",
          () -> store.setMetadata("/l0", LinkPolicy.FOLLOW, tooMany));
      store.truncate("/l0", limits.get("read.maxArrayBytes").value() + 1);
      refused(limits, "read.maxArrayBytes", () -> store.readAllBytes("/l0"));
      refused(limits, "read.maxArrayBytes", () -> store.readString("/l0"));
      int entries = value(limits, "listing.maxEntries");
      assertTrue(store.list("/", entries).entries().size() > links);
      refused(limits, "listing.maxEntries", () -> store.list("/", entries + 1));
    }
  }

  @Test
  void openSnapshotsAreAsManyAsTheListSays() {
    UpcallConfig config = TestedStore.RING.config().withSnapshots(new SnapshotConfig(5, 2));
    try (Upcall store = Upcall.create(folder.resolve("v.upcall"), config)) {
      Limit most =
          store.limits().stream()
              .filter(limit -> limit.name().equals("snapshots.maxOpen"))
              .findFirst()
              .orElseThrow();
      assertEquals(List.of(2L, 1024L), List.of(most.value(), most.usual()));
      List<UpcallSnapshot> open = new ArrayList<>();
      open.add(store.fsm().snapshot());
      open.add(store.fsm().snapshot());
      assertThrows(UpcallException.Busy.class, () -> store.fsm().snapshot());
      open.forEach(UpcallSnapshot::close);
    }
  }

  private static int value(Map<String, Limit> limits, String name) {
    return Math.toIntExact(limits.get(name).value());
  }

  private static void refused(Map<String, Limit> limits, String name, Runnable call) {
    UpcallException refused = assertThrows(UpcallException.class, call::run, name);
    assertEquals(
        limits.get(name).beyond().words(), "`" + refused.getClass().getSimpleName() + "`", name);
  }
}
