package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.upcall.fsm.KnowsTooMuch;
import dev.upcall.io.Disk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules can fail: each offender here breaks one of them, and is caught. */
class TidyTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        ReadsTheClock.class,
        RefersToTheClock.class,
        Unseeded.class,
        SaltedMap.class,
        SaltedLiteral.class,
        Sleeps.class,
        UsesFutures.class,
        UsesAtomics.class,
        IsVolatile.class,
        IsSynchronized.class,
        Prints.class,
        ReadsFiles.class,
        HasStaticState.class,
        HasManyArguments.class
      })
  void offendersAreCaught(Class<?> offender) {
    JavaClasses imported = new ClassFileImporter().importClasses(offender);
    assertThrows(AssertionError.class, () -> Tidy.checkDispatched(imported));
  }

  @Test
  void knowingALayerAboveIsCaught() {
    JavaClasses imported = new ClassFileImporter().importClasses(KnowsTooMuch.class, Disk.class);
    assertThrows(AssertionError.class, () -> Layers.check(imported));
  }

  @ParameterizedTest
  @ValueSource(classes = {Blameless.class, ManyFields.class})
  void theBlamelessPass(Class<?> blameless) {
    Tidy.checkDispatched(new ClassFileImporter().importClasses(blameless));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dev.upcall.fsm.Dispatcher", "dev.upcall.fsm.Dispatcher$Timer"})
  void exceptionsCoverNestedClasses(String name) {
    assertTrue(Exceptions.THREADS.has(name));
  }

  static final class ReadsTheClock {
    long now() {
      return System.nanoTime();
    }
  }

  static final class RefersToTheClock {
    LongSupplier clock() {
      return System::currentTimeMillis;
    }
  }

  static final class Unseeded {
    int draw() {
      return new Random().nextInt();
    }
  }

  static final class SaltedMap {
    final Map<String, String> names = new HashMap<>();
  }

  static final class SaltedLiteral {
    final Map<String, String> names = Map.of("a", "b");
  }

  static final class Sleeps {
    void rest() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class UsesFutures {
    final CompletableFuture<String> result = new CompletableFuture<>();
  }

  static final class UsesAtomics {
    final AtomicLong count = new AtomicLong();
  }

  static final class IsVolatile {
    volatile int count;
  }

  static final class IsSynchronized {
    synchronized void enter() {}
  }

  static final class Prints {
    void say() {
      System.out.println("x");
    }
  }

  static final class ReadsFiles {
    boolean there() {
      return java.nio.file.Files.exists(java.nio.file.Path.of("x"));
    }
  }

  static final class HasStaticState {
    static @Nullable String last;
  }

  static final class HasManyArguments {
    final int sum;

    HasManyArguments(int a, int b, int c, int d, int e, int f) {
      sum = a + b + c + d + e + f;
    }
  }

  static final class Blameless {
    final Random random;
    final List<String> names = new ArrayList<>();

    Blameless(long seed) {
      random = new Random(seed);
    }
  }

  record ManyFields(int a, int b, int c, int d, int e, int f) {}
}
