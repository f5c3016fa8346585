package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test for each engine that the suite runs with ({@link TestedEngines}). Its first parameter is
 * an {@link Engine}, or an enum of what those engines serve ({@link TestedStore}, say).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(EachEngine.Stores.class)
public @interface EachEngine {
  /** For each of them, with what further arguments: one row a test, divided by commas. */
  String[] value() default "";

  /** The constants with which the test is not run. */
  String[] except() default {};

  /** The rows. */
  final class Stores implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      List<Engine> engines = TestedEngines.Of.suite(context.getRequiredTestClass());
      EachEngine test = context.getRequiredTestMethod().getAnnotation(EachEngine.class);
      Class<?> type = parameters.getFirst().orElseThrow().getParameterType();
      return Stream.of(type.getEnumConstants())
          .filter(
              first ->
                  isTested(first, engines) && !List.of(test.except()).contains(first.toString()))
          .flatMap(first -> Stream.of(test.value()).map(row -> arguments(first, row)));
    }

    private static boolean isTested(Object first, List<Engine> engines) {
      return first instanceof TestedEngines.Kind kind
          ? engines.contains(kind.engine()) && kind.isHere()
          : engines.contains(first);
    }

    private static Arguments arguments(Object first, String row) {
      List<Object> all = new ArrayList<>();
      all.add(first);
      if (!row.isEmpty()) {
        Stream.of(row.split(",")).map(String::strip).forEach(all::add);
      }
      return Arguments.of(all.toArray());
    }
  }
}
