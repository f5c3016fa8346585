package dev.upcall.fileman.blocking;

import dev.upcall.Engine;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

/**
 * With which engines the suites run that are nested in a class: so the module of another engine
 * runs what this one, or a module above, has written for all of them. Without it they run with the
 * state machines.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface TestedEngines {
  /** The engines. */
  Engine[] value();

  /** Something that an engine serves, of which a suite has several. */
  interface Kind {
    /** Which engine. */
    Engine engine();

    /** Whether this machine can run it. */
    default boolean isHere() {
      return true;
    }
  }

  /** Those of a suite. */
  final class Of {
    private Of() {}

    /** The engines that the suite, or a class around it, names. */
    public static List<Engine> suite(Class<?> suite) {
      for (Class<?> type = suite; type != null; type = type.getEnclosingClass()) {
        TestedEngines said = type.getAnnotation(TestedEngines.class);
        if (said != null) {
          return List.of(said.value());
        }
      }
      return List.of(Engine.FSM);
    }
  }
}
