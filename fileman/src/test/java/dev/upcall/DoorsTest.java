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
          "whenRoom");

  /** What the modules of this project have on the store's thread, and who extends a face. */
  private static final Set<String> SERVICES =
      Set.of(
          "at",
          "commitNames",
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
          "uncommittedNames",
          "wantCopies");

  /** One door's own form of an operation that all have: what it is a form of. */
  private static final Map<String, String> FORMS =
      Map.of(
          "stream", "forEach", // of java.util.stream, which waits
          "publish", "read"); // of java.util.concurrent.Flow, which calls back on an executor

  private static final String AGAIN =
      "a body of ports is a chain built anew each time, its pauses need the program's own timer";

  private static final String OWN_TIMERS =
      "a program of ports has timers, and what was asked and is not wanted any more has a port";

  private static final String TYPED =
      "typed tables are for callers that wait; what they ask is asked of every door as a request";

  private static final String KEYS = "keys are changed by operators, who wait";

  private static Map<String, String> lacks() {
    Map<String, String> lacks = new TreeMap<>(OF_ONE);
    for (String door : List.of("StageFiles", "AsyncFiles", "FileManager")) {
      for (String table : List.of("sortedTable", "hashTable", "records")) {
        lacks.put(door + "." + table, TYPED);
      }
      lacks.put(door + ".keys", KEYS);
    }
    return lacks;
  }

  private static final Map<String, String> OF_ONE =
      Map.of(
          "AsyncFiles.transact",
          AGAIN,
          "FileManager.transact",
          AGAIN,
          "AsyncFiles.within",
          OWN_TIMERS,
          "FileManager.within",
          OWN_TIMERS,
          "FsmUpcall.within",
          "a call ends with its answer; who may not wait asks a stage, and joins",
          "FsmUpcall.changes",
          "a watch service of its file system waits for the same changes",
          "FileManager.changes",
          "Store.observe tells code on the store's thread of every change",
          "FileManager.config",
          "modules of this project open it, on a store without UpcallConfig");

  private static final Map<String, String> LACKS = lacks();

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
          if (!operations(door).contains(FORMS.getOrDefault(operation, operation))) {
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
            "ask(Change): T", // of what a function makes of the answer
            "ask(Look): T",
            "forEach(CharSequence, Consumer): Unit",
            "open(CharSequence, OpenMode): StageHandle",
            "publish(CharSequence): Publisher",
            "put(CharSequence, PutOptions): StagePut",
            "read(CharSequence): StageContent",
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
        Set.of(List.of(), List.of(Executor.class), List.of(AsyncReads.class, CompletionPort.class)),
        ways);
  }

  @Test
  void noOperationIsBothAnOperationAndSomethingElse() {
    assertFalse(DRIVING.stream().anyMatch(SERVICES::contains));
    assertFalse(FORMS.keySet().stream().anyMatch(FORMS::containsValue));
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
