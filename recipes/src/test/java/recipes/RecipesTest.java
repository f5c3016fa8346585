package recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import recipes.tables.Counters;
import recipes.tables.IndexedRecords;
import recipes.tables.LaterIndex;
import recipes.tables.ManyAtOnce;
import recipes.tables.MomentOfAll;
import recipes.tables.OrderAndInvoice;
import recipes.tables.PagedList;
import recipes.tables.TimeSeries;
import recipes.tables.Transfers;
import recipes.tables.UrgentJobs;

/** Each recipe is a program that says what it should; those of the page are all that there are. */
class RecipesTest {
  private static final Map<Class<?>, List<String>> SAY =
      Map.ofEntries(
          Map.entry(ExpiringCache.class, List.of("computes answer", "ANSWER", "ANSWER")),
          Map.entry(
              BlobServer.class,
              List.of(
                  "PUT 204, tag in quotes: true",
                  "GET a cat",
                  "HEAD 5",
                  "206 bytes 2-3/5 ca",
                  "206 bytes 2-4/5 cat",
                  "206 bytes 2-4/5 cat",
                  "416 bytes */5 ",
                  "200 whole a cat",
                  "GET 304",
                  "GET 404",
                  "POST 405")),
          Map.entry(
              OrderFeed.class,
              List.of(
                  "position 2, 2 is Grace's",
                  "cancelled once",
                  "position 3",
                  "order 1",
                  "order 3",
                  "2 was cancelled: broken")),
          Map.entry(Outbox.class, List.of("0001: ordered 0001", "0002: ordered 0002")),
          Map.entry(JobQueue.class, List.of("20 jobs done, left: Optional.empty")),
          Map.entry(
              ResumedUpload.class,
              List.of("goes on behind 2097157 bytes", "film of 5242897 bytes")),
          Map.entry(
              CompressedReports.class, List.of("a quarter at most: true", "040000: all is well")),
          Map.entry(
              SharedAttachments.class,
              List.of("eight more take less than one: true", "the last has 1048576 bytes")),
          Map.entry(
              VersionedDocuments.class,
              List.of("somebody was quicker", "final", "kept 5 bytes of an older one")),
          Map.entry(NightlyCopy.class, List.of("2 files", "two", "0 snapshots left")),
          Map.entry(Meters.class, List.of("0.0", "true")),
          Map.entry(
              SpringProgram.class, List.of("Hello from Spring", "closed, and opened again: true")),
          Map.entry(ThousandVirtualThreads.class, List.of("note 999")),
          Map.entry(Stages.class, List.of("billed 30", "64 durable")));

  /** Those of tables. */
  private static final Map<Class<?>, List<String>> SAY_OF_TABLES =
      Map.ofEntries(
          Map.entry(OrderAndInvoice.class, List.of("3 chairs", "8 bytes")),
          Map.entry(TimeSeries.class, List.of("70.5, 60 readings, 10 removed")),
          Map.entry(Counters.class, List.of("20 and 40")),
          Map.entry(
              IndexedRecords.class,
              List.of("one address, one customer", "42", "ann@example.com", "bob@example.com")),
          Map.entry(LaterIndex.class, List.of("[chair, table]", "1")),
          Map.entry(
              PagedList.class,
              List.of("post 25 to post 16", "post 15 to post 6", "post 5 to post 1")),
          Map.entry(MomentOfAll.class, List.of("1000 then, 500 now")),
          Map.entry(Transfers.class, List.of("ann=70", "bob=30")),
          Map.entry(UrgentJobs.class, List.of("put out the fire", "mend", "sweep")),
          Map.entry(ManyAtOnce.class, List.of("1000")));

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> recipesSayWhatTheyShould() {
    return Stream.of(SAY, SAY_OF_TABLES).flatMap(this::tests);
  }

  private Stream<DynamicTest> tests(Map<Class<?>, List<String>> say) {
    Map<String, Class<?>> byName = new TreeMap<>();
    say.keySet().forEach(recipe -> byName.put(recipe.getSimpleName(), recipe));
    return byName.entrySet().stream()
        .map(
            recipe ->
                DynamicTest.dynamicTest(
                    recipe.getKey(),
                    () -> assertEquals(say.get(recipe.getValue()), said(recipe.getValue()))));
  }

  /** A process of its own, which is told to end. */
  @Test
  void shutdownClosesTheStore() throws Exception {
    Path volume = folder.resolve("Shutdown.upcall");
    Process service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Shutdown.class.getName(),
                volume.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = service.inputReader(StandardCharsets.UTF_8)) {
      assertEquals("serving", lines.readLine());
      assertTrue(service.toHandle().destroy());
      assertEquals("closed", lines.readLine());
    } finally {
      service.destroyForcibly().waitFor();
    }
    try (Upcall again = Upcall.open(volume, UpcallConfig.DEFAULT)) {
      assertEquals("serving", again.readString("/state"));
    }
  }

  private List<String> said(Class<?> recipe) throws Throwable {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      String volume = folder.resolve(recipe.getSimpleName() + ".upcall").toString();
      recipe.getMethod("main", String[].class).invoke(null, (Object) new String[] {volume});
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
