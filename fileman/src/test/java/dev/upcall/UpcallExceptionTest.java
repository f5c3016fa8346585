package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kind of failure is an exception of that kind, wherever it goes. */
class UpcallExceptionTest {
  static Stream<Failure> failures() throws ReflectiveOperationException {
    Stream.Builder<Failure> one = Stream.builder();
    for (Class<?> kind : Failure.class.getPermittedSubclasses()) {
      RecordComponent[] components = kind.getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Object[] values = Arrays.stream(types).map(UpcallExceptionTest::value).toArray();
      one.add((Failure) kind.getDeclaredConstructor(types).newInstance(values));
    }
    return one.build();
  }

  private static Object value(Class<?> type) {
    return type == String.class
        ? "text"
        : type == Failure.Corrupt.InFile.class
            ? new Failure.Corrupt.InFile("text", 7)
            : (Object) 7L;
  }

  @ParameterizedTest
  @MethodSource("failures")
  void eachKindHasItsClass(Failure failure) throws ReflectiveOperationException {
    UpcallException thrown =
        assertThrows(
            UpcallException.class, () -> UpcallException.value(Completion.failed(failure)));
    assertEquals(failure.getClass().getSimpleName(), thrown.getClass().getSimpleName());
    assertSame(failure, thrown.failure());
    assertEquals(failure.message(), thrown.getMessage());
    Method typed = thrown.getClass().getDeclaredMethod("failure");
    assertEquals(failure.getClass(), typed.getReturnType());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void theFailureTravelsWithIt(Failure failure) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(UpcallException.of(failure));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      UpcallException read = (UpcallException) in.readObject();
      assertEquals(UpcallException.of(failure).getClass(), read.getClass());
      assertEquals(failure, read.failure());
      assertEquals(failure.message(), read.getMessage());
    }
  }

  @Test
  void noClassIsWithoutAKind() {
    assertEquals(
        names(Failure.class.getPermittedSubclasses()),
        names(UpcallException.class.getPermittedSubclasses()));
  }

  private static List<String> names(Class<?>[] classes) {
    return Arrays.stream(classes).map(Class::getSimpleName).sorted().toList();
  }
}
