package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.upcall.completion.Failure;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What clients are told of what a store refuses. */
class RefusalTest {
  private static final String HOST = "/srv/secret/store.upcall";

  /** Words of these are about what a client asked for: paths and limits of the store. */
  private static final Set<Class<?>> TOLD =
      Set.of(
          Failure.NotFound.class,
          Failure.AlreadyExists.class,
          Failure.NotADirectory.class,
          Failure.IsADirectory.class,
          Failure.DirectoryNotEmpty.class,
          Failure.LinkLoop.class,
          Failure.Invalid.class,
          Failure.Conflict.class,
          Failure.VersionMismatch.class,
          Failure.TooLarge.class,
          Failure.Busy.class,
          Failure.Deadlock.class,
          Failure.LockTimeout.class);

  /** A failure whose texts are all the host's. */
  private static Failure ofHost(Class<?> kind) throws ReflectiveOperationException {
    RecordComponent[] parts = kind.getRecordComponents();
    Class<?>[] types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values = Arrays.stream(types).map(RefusalTest::ofHostAs).toArray();
    Constructor<?> constructor = kind.getDeclaredConstructor(types);
    return (Failure) constructor.newInstance(values);
  }

  private static Object ofHostAs(Class<?> type) {
    return type == String.class
        ? HOST
        : type == Failure.Corrupt.InFile.class ? new Failure.Corrupt.InFile(HOST, 7) : (Object) 7L;
  }

  @Test
  void sentence_ofEveryFailureThatIsNotTheClients_namesNothingOfTheHost() throws Exception {
    Set<String> told = new TreeSet<>();
    for (Class<?> kind : Failure.class.getPermittedSubclasses()) {
      Refusal refusal = Refusal.of(ofHost(kind));
      if (TOLD.contains(kind)) {
        told.add(kind.getSimpleName());
      } else {
        assertFalse(refusal.sentence().contains("secret"), refusal::sentence);
      }
    }
    assertEquals(TOLD.size(), told.size(), told::toString);
  }

  @Test
  void sentence_ofAFullVolume_saysHowMuchIsWanted() {
    assertEquals(
        "the store has no room for 4096 bytes more",
        Refusal.of(new Failure.VolumeFull(4096, 0, 1 << 20)).sentence());
  }
}
