package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.request.FileRequest;
import dev.upcall.request.TableRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What files can be asked is the same on every face, whether it waits or not. */
class FacesTest {
  /** How content comes and goes is each face's own: streams, handles, ranges. */
  private static final Set<String> CONTENT =
      Set.of("write", "writeString", "put", "open", "newByteChannel");

  /** What those who implement and extend the asynchronous face need. */
  private static final Set<String> SERVICES = Set.of("refuse", "at", "fromAnyThread");

  /** Kinds of requests whose method has another name. */
  private static final Map<String, String> NAMES = Map.of("clone", "cloneFile");

  /** Methods whose first text is a name of something else than a file. */
  private static final Set<String> OF_NAMES =
      Set.of(
          "fileSystem",
          "property",
          "setProperty",
          "removeProperty",
          "snapshot",
          "createSnapshot",
          "dropSnapshot");

  @Test
  void whatChangesFilesIsOnBothFaces() {
    assertEquals(
        asked(UpcallChanges.class, FacesTest::isOnBoth),
        asked(AsyncChanges.class, FacesTest::isOnBoth));
    for (Class<?> face :
        List.of(
            FileManager.class, FileTransaction.class, AsyncFiles.class, AsyncTransaction.class)) {
      assertTrue(AsyncChanges.class.isAssignableFrom(face), face::getName);
    }
    for (Class<?> face : List.of(Upcall.class, UpcallTransaction.class)) {
      assertTrue(UpcallChanges.class.isAssignableFrom(face), face::getName);
    }
  }

  /** Who waits opens a handle for one range of many; who does not asks for it at once. */
  private static boolean isOnBoth(Method method) {
    return !CONTENT.contains(method.getName())
        && !List.of(method.getParameterTypes()).contains(OpenMode.class);
  }

  @Test
  void whatIsAskedOfNamesIsOnBothFaces() {
    Set<String> waiting = names(UpcallReads.class);
    Set<String> queries = names(AsyncReads.class);
    assertTrue(queries.removeAll(SERVICES));
    assertTrue(waiting.containsAll(queries), () -> waiting + " lacks some of " + queries);
    for (Class<?> face :
        List.of(
            FileSnapshot.class, AsyncSnapshot.class, FileChanges.class, AsyncTransaction.class)) {
      assertTrue(AsyncReads.class.isAssignableFrom(face), face::getName);
    }
    for (Class<?> face : List.of(UpcallSnapshot.class, UpcallChanges.class)) {
      assertTrue(UpcallReads.class.isAssignableFrom(face), face::getName);
    }
  }

  /** What is new has a name of its own on both faces, beside {@code change}. */
  @Test
  void eachKindOfRequestHasItsMethod() {
    for (Class<?> kind : FileRequest.class.getPermittedSubclasses()) {
      if (kind == TableRequest.class) {
        continue; // asked by a face of tables, not of files
      }
      String name =
          kind.getSimpleName().substring(0, 1).toLowerCase(Locale.ROOT)
              + kind.getSimpleName().substring(1);
      String method = NAMES.getOrDefault(name, name);
      assertTrue(names(UpcallChanges.class).contains(method), method);
      assertTrue(
          CONTENT.contains(method) || names(AsyncChanges.class).contains(method),
          () -> method + " is not asynchronous");
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        FileManager.class,
        FileTransaction.class,
        FileSnapshot.class,
        AsyncFiles.class,
        AsyncTransaction.class,
        AsyncSnapshot.class,
        FsmUpcall.class,
        UpcallTransaction.class,
        UpcallSnapshot.class
      })
  void pathsAreTextsOrParsed(Class<?> face) {
    int takePaths = 0;
    for (Method method : face.getMethods()) {
      List<Class<?>> parameters = List.of(method.getParameterTypes());
      assertTrue(!parameters.contains(StorePath.class), () -> method + " refuses texts");
      if (!parameters.isEmpty() && parameters.getFirst() == String.class) {
        assertTrue(OF_NAMES.contains(method.getName()), () -> method + " refuses parsed paths");
      }
      if (parameters.contains(CharSequence.class)) {
        assertTrue(isPath(parameters.getFirst()), method::toString);
        takePaths++;
      }
    }
    assertNotEquals(0, takePaths);
    assertTrue(CharSequence.class.isAssignableFrom(StorePath.class));
  }

  /** A range is of the file that its path names. */
  private static boolean isPath(Class<?> parameter) {
    return parameter == CharSequence.class || parameter == FileRequest.Range.class;
  }

  private static Set<String> names(Class<?> face) {
    return asked(face, _ -> true).stream()
        .map(asked -> asked.substring(0, asked.indexOf('(')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a face declares, without where the answer comes: {@code name(arguments): answer}. */
  private static Set<String> asked(Class<?> face, Predicate<Method> which) {
    return declared(face).filter(which).map(FacesTest::asked).collect(Collectors.toSet());
  }

  private static Stream<Method> declared(Class<?> face) {
    return Arrays.stream(face.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic());
  }

  private static String asked(Method method) {
    Type[] parameters = method.getGenericParameterTypes();
    int last = parameters.length - 1;
    if (last >= 0
        && parameters[last] instanceof ParameterizedType port
        && port.getRawType() == CompletionPort.class) {
      return asked(method, Arrays.copyOf(parameters, last), port.getActualTypeArguments()[0]);
    }
    Type returned = method.getGenericReturnType();
    return asked(method, parameters, returned == void.class ? Unit.class : returned);
  }

  private static String asked(Method method, Type[] parameters, Type answer) {
    return "%s(%s): %s"
        .formatted(
            method.getName(),
            Arrays.stream(parameters).map(Type::getTypeName).collect(Collectors.joining(", ")),
            answer.getTypeName());
  }
}
