package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.stage.StageChanges;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageReads;
import dev.upcall.stage.StageSnapshot;
import dev.upcall.stage.StageTransaction;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.Trees;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every operation is at each door, under the same name: for callers that wait, for stages, for a
 * program on a thread of its own, on the store's thread. What one lacks is listed with the reason.
 */
class DoorsTest {
  /** How a door is driven, which is its own. */
  private static final Set<String> DRIVING =
      Set.of(
          "await",
          "close",
          "execute",
          "fileManager",
          "fileSystem", // of java.nio.file, which waits
          "newByteChannel", // of java.nio.channels, which waits
          "fsm",
          "inside",
          "limits",
          "newAsyncFiles",
          "newStageFiles",
          "outstanding",
          "poll",
          "reactor",
          "stages",
          "waiting",
          "whenRoom",
          "within");

  /** What the modules of this project have on the store's thread, and who extends a face. */
  private static final Set<String> SERVICES =
      Set.of(
          "at",
          "committed",
          "dispatcher",
          "fromAnyThread",
          "metrics",
          "openCopy",
          "openRead",
          "refuse",
          "refusesContent",
          "store",
          "tryOpenRead",
          "wantCopies");

  private static final String A_STREAM = "read gives a stream";
  private static final String BY_HANDLE = "open gives a handle that does it";
  private static final String AGAIN = "ports do no transaction again: docs/decisions.md says why";
  private static final String BY_PIECES = "read gives ranges at the program's own pace";
  private static final String STORES = "asked of FsmUpcall, which such a program has";
  private static final String BYTES =
      "put and write bring content; what a batch carries comes as bytes";
  private static final String BY_CALLS = "forEach calls back: a stream would wait";
  private static final String OPENED = "openRead gives the content without a copy";

  private static final Map<String, String> LACKS =
      Map.ofEntries(
          Map.entry("FsmUpcall.publish", A_STREAM),
          Map.entry("StageFiles.stream", BY_CALLS),
          Map.entry("AsyncFiles.stream", BY_CALLS),
          Map.entry("FileManager.append", BY_HANDLE),
          Map.entry("FileManager.readString", OPENED),
          Map.entry("FileManager.stream", BY_CALLS),
          Map.entry("StageTransaction.stream", BY_CALLS),
          Map.entry("AsyncTransaction.stream", BY_CALLS),
          Map.entry("FileTransaction.readString", OPENED),
          Map.entry("FileTransaction.stream", BY_CALLS),
          Map.entry("StageSnapshot.stream", BY_CALLS),
          Map.entry("AsyncSnapshot.stream", BY_CALLS),
          Map.entry("FileSnapshot.readString", OPENED),
          Map.entry("FileSnapshot.stream", BY_CALLS),
          Map.entry("AsyncFiles.config", STORES),
          Map.entry("AsyncFiles.discard", BYTES),
          Map.entry("AsyncFiles.publish", BY_PIECES),
          Map.entry("AsyncFiles.stage", BYTES),
          Map.entry("AsyncFiles.transact", AGAIN),
          Map.entry("FileManager.checkpoint", STORES),
          Map.entry("FileManager.config", STORES),
          Map.entry("FileManager.discard", "staged content discards itself there"),
          Map.entry("FileManager.fileManagerInfo", "it is info there"),
          Map.entry("FileManager.publish", OPENED),
          Map.entry("FileManager.read", OPENED),
          Map.entry("FileManager.readAllBytes", OPENED),
          Map.entry("FileManager.transact", AGAIN),
          Map.entry("UpcallTransaction.publish", A_STREAM),
          Map.entry("UpcallTransaction.truncate", BY_HANDLE),
          Map.entry("FileManager.truncate", BY_HANDLE),
          Map.entry("FsmUpcall.truncate", BY_HANDLE),
          Map.entry("StageFiles.truncate", BY_HANDLE),
          Map.entry("StageTransaction.truncate", BY_HANDLE),
          Map.entry("AsyncTransaction.publish", BY_PIECES),
          Map.entry("FileTransaction.append", BY_HANDLE),
          Map.entry("FileTransaction.publish", OPENED),
          Map.entry("FileTransaction.read", OPENED),
          Map.entry("FileTransaction.readAllBytes", OPENED),
          Map.entry("FileTransaction.truncate", BY_HANDLE),
          Map.entry("UpcallSnapshot.publish", A_STREAM),
          Map.entry("AsyncSnapshot.info", STORES),
          Map.entry("AsyncSnapshot.publish", BY_PIECES),
          Map.entry("FileSnapshot.publish", OPENED),
          Map.entry("FileSnapshot.read", OPENED),
          Map.entry("FileSnapshot.readAllBytes", OPENED));

  /** Faces of the same thing. */
  private static final List<List<Class<?>>> DOORS =
      List.of(
          List.of(FsmUpcall.class, StageFiles.class, AsyncFiles.class, FileManager.class),
          List.of(
              UpcallTransaction.class,
              StageTransaction.class,
              AsyncTransaction.class,
              FileTransaction.class),
          List.of(
              UpcallSnapshot.class, StageSnapshot.class, AsyncSnapshot.class, FileSnapshot.class));

  @Test
  void whatADoorLacksHasAReason() {
    Map<String, String> lacking = new TreeMap<>();
    for (List<Class<?>> doors : DOORS) {
      Set<String> all = new TreeSet<>();
      doors.forEach(door -> all.addAll(operations(door)));
      for (Class<?> door : doors) {
        for (String operation : all) {
          if (!operations(door).contains(operation)) {
            String what = door.getSimpleName() + "." + operation;
            lacking.put(what, LACKS.getOrDefault(what, "no reason"));
          }
        }
      }
    }
    assertEquals(new TreeMap<>(LACKS), lacking);
  }

  /** What waits and what answers a stage take the same and give the same. */
  @Test
  void stagesTakeAndGiveWhatCallsDo() {
    Set<String> calls = new TreeSet<>();
    asked(UpcallReads.class).forEach(calls::add);
    asked(UpcallChanges.class).forEach(calls::add);
    Set<String> stages = new TreeSet<>();
    asked(StageReads.class).forEach(stages::add);
    asked(StageChanges.class).forEach(stages::add);
    Set<String> onlyCalls = new TreeSet<>(calls);
    onlyCalls.removeAll(stages);
    assertEquals(
        Set.of(
            "forEach(CharSequence, Consumer): Unit", // any consumer will do
            "newByteChannel(CharSequence): SeekableByteChannel", // waits
            "newByteChannel(CharSequence, OpenMode): SeekableByteChannel",
            "open(CharSequence, OpenMode): RandomAccess",
            "put(CharSequence, PutOptions): PutStream",
            "read(CharSequence): ReadStream",
            "stream(CharSequence): Stream",
            "write(CharSequence, InputStream, PutOptions): FileInfo"),
        onlyCalls.stream().map(DoorsTest::withoutArguments).collect(Collectors.toSet()));
    Set<String> onlyStages = new TreeSet<>(stages);
    onlyStages.removeAll(calls);
    assertEquals(
        Set.of(
            "change(FileRequest, Function): T",
            "forEach(CharSequence, Consumer): Unit",
            "open(CharSequence, OpenMode): StageHandle",
            "publish(CharSequence): Publisher",
            "put(CharSequence, PutOptions): StagePut",
            "read(CharSequence): StageContent",
            "read(CharSequence, long, int): byte[]",
            "write(CharSequence, Publisher, PutOptions): FileInfo"),
        onlyStages.stream().map(DoorsTest::withoutArguments).collect(Collectors.toSet()));
  }

  /** What is done to trees is done over the doors, and walks are at each of them. */
  @Test
  void treesAreWalkedAtEachDoor() {
    Set<Class<?>> walked =
        Arrays.stream(Trees.class.getMethods())
            .filter(method -> method.getName().equals("walk"))
            .map(method -> method.getParameterTypes()[0])
            .collect(Collectors.toSet());
    for (List<Class<?>> doors : DOORS) {
      for (Class<?> door : doors) {
        assertTrue(walked.stream().anyMatch(face -> face.isAssignableFrom(door)), door::getName);
      }
    }
  }

  /** Tasks wait, answer a stage on an executor, or complete at a port of any of these files. */
  @Test
  void tasksEndAtEachDoor() {
    Set<List<Class<?>>> ways =
        Arrays.stream(TreeTask.class.getMethods())
            .filter(method -> Set.of("run", "start").contains(method.getName()))
            .map(method -> List.of(method.getParameterTypes()))
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            List.of(), List.of(Executor.class), List.of(AsyncQueries.class, CompletionPort.class)),
        ways);
  }

  @Test
  void noOperationIsBothAnOperationAndSomethingElse() {
    assertFalse(DRIVING.stream().anyMatch(SERVICES::contains));
    assertFalse(LACKS.containsValue("no reason"));
  }

  private static String withoutArguments(String asked) {
    return asked.replaceAll("<[^()]*>(?=[,)]|$)", "");
  }

  private static Set<String> operations(Class<?> door) {
    return Stream.of(door.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getDeclaringClass().getName().startsWith("dev.upcall"))
        .map(Method::getName)
        .filter(name -> !DRIVING.contains(name) && !SERVICES.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a face declares: {@code name(arguments): answer}. */
  private static Stream<String> asked(Class<?> face) {
    return Arrays.stream(face.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
        .map(DoorsTest::asked);
  }

  private static String asked(Method method) {
    Type answer = method.getGenericReturnType();
    if (answer instanceof ParameterizedType stage && stage.getRawType() == CompletionStage.class) {
      answer = stage.getActualTypeArguments()[0];
    }
    boolean nothing = answer == void.class || answer == Void.class;
    boolean primitive = answer == boolean.class;
    return "%s(%s): %s"
        .formatted(
            method.getName(),
            Arrays.stream(method.getGenericParameterTypes())
                .map(DoorsTest::name)
                .collect(Collectors.joining(", ")),
            nothing
                ? Unit.class.getSimpleName()
                : primitive ? Boolean.class.getSimpleName() : name(answer));
  }

  private static String name(Type type) {
    return type.getTypeName().replaceAll("[a-z.]+[.$](?:[A-Z]\\w+[$])?(?=[A-Z])", "");
  }
}
