package dev.upcall.threads;

import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedEngines;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out what a suite of another module does only with the engine of its own module: of a suite
 * that runs here with other engines, what is for each engine runs again, and nothing else. Tests of
 * an abstract class are for each of its subclasses.
 */
public final class OtherEnginesFilter implements PostDiscoveryFilter {
  @Override
  public FilterResult apply(TestDescriptor test) {
    return FilterResult.includedIf(
        !(test.getSource().orElse(null) instanceof MethodSource method) || runs(method));
  }

  private static boolean runs(MethodSource source) {
    Method method = source.getJavaMethod();
    Class<?> declaring = method.getDeclaringClass();
    return declaring == source.getJavaClass()
        || Modifier.isAbstract(declaring.getModifiers())
        || !isOfOtherEngines(source.getJavaClass())
        || method.isAnnotationPresent(EachEngine.class);
  }

  private static boolean isOfOtherEngines(Class<?> suite) {
    for (Class<?> type = suite; type != null; type = type.getEnclosingClass()) {
      if (type.isAnnotationPresent(TestedEngines.class)) {
        return true;
      }
    }
    return false;
  }
}
