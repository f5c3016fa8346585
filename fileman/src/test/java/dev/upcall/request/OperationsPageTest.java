package dev.upcall.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.AsyncChanges;
import dev.upcall.AsyncReads;
import dev.upcall.AsyncTransaction;
import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileCondition;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.UpcallChanges;
import dev.upcall.UpcallReads;
import dev.upcall.completion.CompletionPort;
import dev.upcall.stage.StageChanges;
import dev.upcall.stage.StageReads;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Which method asks a request at which face: found by calling every default method of the faces. A
 * request that no method asks is listed with the reason.
 */
class OperationsPageTest {
  private static final Path PAGE = Path.of("../docs/operations.md");

  private static final List<String> COLUMNS = List.of("waiting", "stages", "ports");

  /** The entry in place of a method, by face: {@code kind at face}. */
  private static final Map<String, String> WITHOUT = without();

  private static Map<String, String> without() {
    Map<String, String> without =
        new TreeMap<>(
            Map.of(
                "Put waiting", "in a batch",
                "Put stages", "in a batch",
                "Put ports", "in a batch",
                "WriteAt waiting", "a handle",
                "WriteAt stages", "a handle",
                "SpliceAt waiting", "a handle",
                "SpliceAt stages", "a handle"));
    List<Class<?>> ofTables = new ArrayList<>(kinds(TableRequest.class));
    ofTables.addAll(List.of(Look.Entry.class, Look.Entries.class, Look.EntryCount.class));
    for (Class<?> kind : ofTables) {
      for (String face : COLUMNS) {
        without.put(kind.getSimpleName() + " " + face, "`ask`");
      }
    }
    return without;
  }

  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(CharSequence.class, "/a"),
          Map.entry(String.class, "a"),
          Map.entry(int.class, 1),
          Map.entry(long.class, 0L),
          Map.entry(byte[].class, new byte[1]),
          Map.entry(LinkPolicy.class, LinkPolicy.FOLLOW),
          Map.entry(Listing.Range.class, new Listing.Range(Listing.Direction.ASCENDING, 1)),
          Map.entry(FileCondition.class, FileCondition.NONE),
          Map.entry(Existence.class, Existence.ANY),
          Map.entry(PutOptions.class, PutOptions.DEFAULT),
          Map.entry(OpenMode.class, OpenMode.CREATE),
          Map.entry(MetadataChange.class, MetadataChange.NONE),
          Map.entry(Expiry.class, Expiry.NEVER),
          Map.entry(Durability.class, Durability.SYNC),
          Map.entry(List.class, List.of()),
          Map.entry(FileRequest.Range.class, FileRequest.Range.all("/a")),
          Map.entry(FileRequest.Placing.class, FileRequest.Placing.INSERT),
          Map.entry(AsyncTransaction.Splice.class, new AsyncTransaction.Splice(0, 0, new byte[1])),
          Map.entry(Function.class, Function.identity()),
          Map.entry(CompletionPort.class, (CompletionPort<Object>) _ -> {}));

  private static final Map<String, List<Class<?>>> FACES =
      Map.of(
          "waiting", List.of(UpcallReads.class, UpcallChanges.class),
          "stages", List.of(StageReads.class, StageChanges.class),
          "ports", List.of(AsyncReads.class, AsyncChanges.class));

  /** Carries what a method asked out of it. */
  private static final class Asked extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Request<?> request;

    Asked(Request<?> request) {
      super(null, null, false, false);
      this.request = request;
    }
  }

  @Test
  void eachRequestHasItsMethodAtEachFace() throws IOException {
    StringBuilder rows = new StringBuilder();
    Set<String> without = new TreeSet<>();
    for (Class<?> kind : kinds(Request.class)) {
      List<String> cells = new ArrayList<>();
      for (String face : COLUMNS) {
        Set<String> methods = methods(kind, face);
        String here = kind.getSimpleName() + " " + face;
        if (methods.isEmpty()) {
          without.add(here);
          cells.add(WITHOUT.getOrDefault(here, "?"));
        } else {
          String cell = "`" + String.join("`, `", methods) + "`";
          cells.add(!cells.isEmpty() && cells.getFirst().equals(cell) ? "same" : cell);
        }
      }
      boolean isLook = Look.class.isAssignableFrom(kind);
      rows.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  kind.getSimpleName(),
                  String.join(" | ", cells),
                  isLook ? "yes" : "no",
                  isLook ? "yes" : "no"));
    }
    assertEquals(new TreeSet<>(WITHOUT.keySet()), without);
    String page =
        """
        # Operations

        Each request of `dev.upcall.request`, and the methods that ask it at each face. `OperationsPageTest` draws this page from the
        faces, with `-Dupcall.docs.write=true`. A request without a method of its own is asked with `ask`.
        All requests can be asked in a transaction.

        | request | waiting | stages | ports | in a snapshot | published view |
        |---|---|---|---|---|---|
        """
            + rows;
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.readString(PAGE));
  }

  /** The records of a sealed family, in the order of their declaration. */
  private static List<Class<?>> kinds(Class<?> family) {
    List<Class<?>> kinds = new ArrayList<>();
    for (Class<?> kind : Objects.requireNonNull(family.getPermittedSubclasses())) {
      if (kind.isSealed()) {
        kinds.addAll(kinds(kind));
      } else {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static Set<String> methods(Class<?> kind, String face) {
    Set<String> names = new TreeSet<>();
    for (Class<?> part : Objects.requireNonNull(FACES.get(face))) {
      for (Method method : part.getDeclaredMethods()) {
        if (method.isDefault()
            && !method.isSynthetic()
            && !method.getName().equals("ask")
            && kind.isInstance(asked(part, method))) {
          names.add(method.getName());
        }
      }
    }
    return names;
  }

  /** The request that a method asks; a text for one that asks none of its own. */
  private static Object asked(Class<?> face, Method method) {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = SAMPLES.get(method.getParameterTypes()[i]);
      if (arguments[i] == null) {
        return "nothing";
      }
    }
    InvocationHandler handler =
        (proxy, called, given) -> {
          if (given != null && given.length > 0 && given[0] instanceof Request<?> request) {
            throw new Asked(request);
          }
          if (called.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, called, given);
          }
          throw new UnsupportedOperationException(called.toString());
        };
    Object proxy = Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, handler);
    try {
      method.invoke(proxy, arguments);
      return "nothing";
    } catch (InvocationTargetException thrown) {
      return thrown.getCause() instanceof Asked asked ? asked.request : "nothing";
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
