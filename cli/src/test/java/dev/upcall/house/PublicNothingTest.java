package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nothing has one sign where programs embed a store: an answer and a component that may be absent
 * is an {@link java.util.Optional}, and no argument is null. Who does it otherwise is listed with
 * the reason.
 */
class PublicNothingTest {
  /** What a program with a store inside names, and the seams of servers and queues. */
  private static final List<String> EMBEDDED =
      List.of("storage-core", "fileman", "metrics", "httpd", "threads", "journal", "feed");

  private static final String AT_ONCE =
      "asked for each request whether something can be had at once; null makes no object";

  private static final String AS_CAUSE = "as causes of the JDK's exceptions";

  private static final String LOGGED = "made for each response of a server with a log";
  private static final String AS_POLL = "as poll of the queues of the JDK";
  private static final String OPENED = "made for each file that is opened on the store's thread";
  private static final String READ = "made for each entry of a queue that is read";
  private static final String SERIALIZED = "travels with an exception, which Optional does not";
  private static final String KEPT = "kept for each of a producer's requests, by the thousand";

  private static final Map<String, String> NULLS =
      Map.ofEntries(
          Map.entry("dev.upcall.FileManager.openCopy", AT_ONCE),
          Map.entry("dev.upcall.FileReads.tryOpenRead", AT_ONCE),
          Map.entry("dev.upcall.OpenFile", OPENED),
          Map.entry("dev.upcall.OpenFile.content", OPENED),
          Map.entry("dev.upcall.base.Invariants.present", "is the check that it is not null"),
          Map.entry("dev.upcall.completion.Failure$Corrupt", SERIALIZED),
          Map.entry("dev.upcall.completion.Failure$Corrupt.inFile", SERIALIZED),
          Map.entry("dev.upcall.feed.Arrival$Part", READ),
          Map.entry("dev.upcall.feed.Arrival$Part.work", READ),
          Map.entry("dev.upcall.feed.answer.Outcome", KEPT),
          Map.entry("dev.upcall.feed.answer.Outcome.failure", KEPT),
          Map.entry("dev.upcall.feed.answer.ProducerHistory.encode", KEPT),
          Map.entry("dev.upcall.fsm.HeapBudget.refuses", AT_ONCE),
          Map.entry("dev.upcall.fsm.door.PassivePort.poll", AS_POLL),
          Map.entry("dev.upcall.fsm.door.PassivePort.take", AS_POLL),
          Map.entry("dev.upcall.fsm.meter.StageMeter.issued", AT_ONCE),
          Map.entry("dev.upcall.httpd.Site.openCopy", AT_ONCE),
          Map.entry("dev.upcall.httpd.log.LogLine$Response", LOGGED),
          Map.entry("dev.upcall.httpd.log.LogLine$Response.client", LOGGED),
          Map.entry("dev.upcall.httpd.log.LogLine$Response.method", LOGGED),
          Map.entry("dev.upcall.httpd.log.LogLine$Response.referer", LOGGED),
          Map.entry("dev.upcall.httpd.log.LogLine$Response.userAgent", LOGGED),
          Map.entry("dev.upcall.journal.queue.ChronicleEntries.next", AS_POLL),
          Map.entry("dev.upcall.journal.queue.ChronicleEntries.read", AS_POLL),
          Map.entry("dev.upcall.journal.queue.Entries.next", AS_POLL),
          Map.entry("dev.upcall.journal.queue.Entries.read", AS_POLL),
          Map.entry("dev.upcall.fsm.DispatcherFailure.closed", AS_CAUSE),
          Map.entry("dev.upcall.journal.queue.QueueException", AS_CAUSE),
          Map.entry("dev.upcall.journal.queue.StoredEntries.next", AS_POLL),
          Map.entry("dev.upcall.journal.queue.StoredEntries.read", AS_POLL),
          Map.entry(
              "dev.upcall.journal.recording.RecordingCodec.decode",
              "asked at each byte of a damaged recording"));

  @Test
  void nothingIsOptionalAndNeverNull() {
    Map<String, String> found = new TreeMap<>();
    for (String module : EMBEDDED) {
      for (Class<?> type : PublicApi.typesOf(module)) {
        nulls(type).forEach(name -> found.put(name, NULLS.getOrDefault(name, "no reason")));
      }
    }
    assertEquals(new TreeMap<>(NULLS), found);
  }

  /** Otherwise a type without an annotation would say nothing of null. */
  @Test
  void allThatIsExportedSaysWhatMayBeNull() {
    List<String> silent =
        EMBEDDED.stream()
            .flatMap(module -> PublicApi.typesOf(module).stream())
            .filter(type -> !type.getPackage().isAnnotationPresent(NullMarked.class))
            .map(Class::getName)
            .toList();
    assertEquals(List.of(), silent);
  }

  @Test
  void eachPlaceOfANullIsSeen() {
    String self = Sample.class.getName();
    assertEquals(
        Stream.of(self, self + ".answer", self + ".argument", self + ".array", self + ".inside")
            .toList(),
        nulls(Sample.class).sorted().toList());
  }

  /** The names of a type's constructors and methods that take or give a null. */
  private static Stream<String> nulls(Class<?> type) {
    return Stream.concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .filter(member -> PublicApi.isVisible(member.getModifiers()) && !member.isSynthetic())
        .filter(PublicNothingTest::hasNull)
        .map(
            member ->
                member instanceof Method ? type.getName() + "." + member.getName() : type.getName())
        .distinct();
  }

  private static boolean hasNull(Executable member) {
    return isNullable(member.getAnnotatedReturnType())
        || Arrays.stream(member.getAnnotatedParameterTypes())
            .anyMatch(PublicNothingTest::isNullable);
  }

  /** Whether null may be there, or in what it consists of. */
  private static boolean isNullable(AnnotatedType type) {
    AnnotatedElement itself = type;
    return itself.isAnnotationPresent(Nullable.class)
        || switch (type) {
          case AnnotatedParameterizedType generic ->
              Arrays.stream(generic.getAnnotatedActualTypeArguments())
                  .anyMatch(PublicNothingTest::isNullable);
          case AnnotatedArrayType array -> isNullable(array.getAnnotatedGenericComponentType());
          default -> false;
        };
  }

  /** What the test has to see, and what not. */
  @SuppressWarnings("unused")
  private static final class Sample {
    public Sample(@Nullable String text) {}

    public @Nullable String answer() {
      return null;
    }

    public void argument(int number, @Nullable String text) {}

    public byte @Nullable [] array() {
      return null;
    }

    public List<@Nullable String> inside() {
      return List.of();
    }

    public Optional<String> optional(String text) {
      return Optional.of(text);
    }

    private @Nullable Constructor<?> hidden() {
      return null;
    }
  }
}
