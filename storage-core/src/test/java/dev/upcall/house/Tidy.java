package dev.upcall.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;

/** What the code of the store must not do, each with what to do instead. */
public final class Tidy {
  private static final int MAX_CONSTRUCTOR_ARGUMENTS = 5;

  private Tidy() {}

  /** The rules that hold for everything that runs on a dispatcher. */
  public static void checkDispatched(JavaClasses product) {
    check(product, noRealTime(), noChance(), noSaltedOrder(), noWaiting(), noThreads());
    check(product, noVolatile(), noSynchronizedMethods(), noHostFiles());
    checkEverywhere(product);
  }

  /** The rules that hold for the HTTP sessions, which share a thread with Netty. */
  public static void checkServer(JavaClasses product) {
    check(product, noRealTime(), noChance(), noWaiting(), noVolatile(), noSynchronizedMethods());
    checkEverywhere(product);
  }

  /** The rules that hold for the whole product. */
  public static void checkEverywhere(JavaClasses product) {
    check(product, noStaticState(), fewArguments());
  }

  private static void check(JavaClasses product, ArchRule... rules) {
    for (ArchRule rule : rules) {
      rule.allowEmptyShould(true).check(product);
    }
  }

  private static ArchRule noRealTime() {
    return noClasses()
        .that(Exceptions.REAL_TIME.others())
        .should(
            call(
                "a real clock",
                target ->
                    is(target, System.class, "currentTimeMillis", "nanoTime")
                        || (target.getOwner().getPackageName().equals("java.time")
                            && (target.getName().equals("now")
                                || target.getName().startsWith("system")))))
        .because("time comes in through the constructor: use dev.upcall.base.Clock");
  }

  private static ArchRule noChance() {
    return noClasses()
        .that(Exceptions.CHANCE.others())
        .should(
            call(
                "unseeded randomness",
                target ->
                    is(target, Math.class, "random")
                        || is(target, java.util.UUID.class, "randomUUID")
                        || target
                            .getOwner()
                            .isAssignableTo(java.util.concurrent.ThreadLocalRandom.class)
                        || target.getOwner().isAssignableTo(java.security.SecureRandom.class)
                        || (target.getName().equals("<init>")
                            && target
                                .getFullName()
                                .matches("java\\.util\\.(Split.*)?Random.*\\(\\)"))))
        .because("one seed replays everything: take a seeded RandomGenerator in the constructor");
  }

  private static ArchRule noSaltedOrder() {
    return noClasses()
        .should(
            call(
                "containers and hashes whose order differs from run to run",
                target ->
                    is(target, Set.class, "of", "copyOf")
                        || is(target, java.util.Map.class, "of", "copyOf", "ofEntries")
                        || is(target, java.util.stream.Collectors.class, "toSet", "toMap")
                        || is(target, java.util.stream.Collectors.class, "groupingBy")
                        || is(target, System.class, "identityHashCode")
                        || is(target, java.util.IdentityHashMap.class, "<init>")
                        || is(target, java.util.HashMap.class, "<init>")
                        || is(target, java.util.HashSet.class, "<init>")))
        .because("two runs of one seed must agree: use LinkedHashMap, TreeMap, EnumSet or arrays");
  }

  private static ArchRule noWaiting() {
    return noClasses()
        .that(Exceptions.THREADS.others())
        .should(
            call(
                "what waits, or runs elsewhere",
                target ->
                    is(target, Thread.class, "sleep", "join", "onSpinWait", "<init>", "ofVirtual")
                        || is(target, Thread.class, "ofPlatform", "startVirtualThread")
                        || is(target, Object.class, "wait", "notify", "notifyAll")
                        || target.getName().equals("parallelStream")
                        || target.getName().equals("printStackTrace")))
        .because(
            "a dispatcher never blocks: use Dispatcher.after for time, a completion port for results,"
                + " and a helper thread of dev.upcall.io for what must block");
  }

  private static ArchRule noThreads() {
    return noClasses()
        .that(Exceptions.THREADS.others())
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "serve more than one thread",
                type ->
                    (type.getPackageName().startsWith("java.util.concurrent")
                            && !type.isEquivalentTo(java.util.concurrent.TimeUnit.class))
                        || type.isEquivalentTo(java.lang.invoke.VarHandle.class)))
        .because(
            "state belongs to one thread: use plain fields, CompletionPort instead of"
                + " CompletableFuture, and Dispatcher.execute to come from another thread");
  }

  private static ArchRule noVolatile() {
    return fields()
        .that()
        .areDeclaredInClassesThat(Exceptions.THREADS.others())
        .should()
        .notHaveModifier(JavaModifier.VOLATILE)
        .because("only the thread boundary knows other threads: use a plain field");
  }

  private static ArchRule noSynchronizedMethods() {
    return noMethods()
        .that()
        .areDeclaredInClassesThat(Exceptions.THREADS.others())
        .should()
        .haveModifier(JavaModifier.SYNCHRONIZED)
        .because("managers have no locks: their dispatcher is the order");
  }

  private static ArchRule noHostFiles() {
    return noClasses()
        .that(Exceptions.FILE_SYSTEM.others())
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "touch the host's file system or console",
                type ->
                    Set.of(
                            "java.nio.file.Files",
                            "java.io.File",
                            "java.io.FileInputStream",
                            "java.io.FileOutputStream",
                            "java.io.RandomAccessFile",
                            "java.io.PrintStream",
                            "java.nio.channels.FileChannel")
                        .contains(type.getName())))
        .because("the disk comes in through the constructor: use dev.upcall.io.Disk");
  }

  private static ArchRule noStaticState() {
    return fields()
        .that()
        .areStatic()
        .and()
        .doNotHaveModifier(JavaModifier.SYNTHETIC)
        .should()
        .beFinal()
        .because("a process may hold many stores: put state into an object");
  }

  private static ArchRule fewArguments() {
    return classes()
        .that(
            DescribedPredicate.describe(
                "are written classes",
                type ->
                    !type.isRecord()
                        && !type.isEnum()
                        && !type.isAnonymousClass()
                        && !type.isLocalClass()))
        .should(
            new ArchCondition<JavaClass>(
                "have constructors of at most " + MAX_CONSTRUCTOR_ARGUMENTS + " arguments") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaConstructor constructor : type.getConstructors()) {
                  if (written(type, constructor) > MAX_CONSTRUCTOR_ARGUMENTS) {
                    events.add(
                        SimpleConditionEvent.violated(constructor, constructor.getDescription()));
                  }
                }
              }
            })
        .because("more than five arguments are a record");
  }

  private static int written(JavaClass type, JavaConstructor constructor) {
    boolean inner = type.isInnerClass() && !type.getModifiers().contains(JavaModifier.STATIC);
    boolean hidden =
        constructor.getModifiers().contains(JavaModifier.SYNTHETIC)
            || constructor.getModifiers().contains(JavaModifier.PRIVATE);
    return hidden ? 0 : constructor.getRawParameterTypes().size() - (inner ? 1 : 0);
  }

  private static boolean is(AccessTarget target, Class<?> owner, String... names) {
    return target.getOwner().isEquivalentTo(owner) && List.of(names).contains(target.getName());
  }

  private interface TargetTest {
    boolean matches(AccessTarget target);
  }

  private static ArchCondition<JavaClass> call(String what, TargetTest test) {
    return new ArchCondition<>("use " + what) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
          if (test.matches(access.getTarget())) {
            events.add(SimpleConditionEvent.satisfied(access, access.getDescription()));
          }
        }
        type.getMethodReferencesFromSelf().stream()
            .filter(reference -> test.matches(reference.getTarget()))
            .forEach(
                reference ->
                    events.add(
                        SimpleConditionEvent.satisfied(reference, reference.getDescription())));
        type.getConstructorReferencesFromSelf().stream()
            .filter(reference -> test.matches(reference.getTarget()))
            .forEach(
                reference ->
                    events.add(
                        SimpleConditionEvent.satisfied(reference, reference.getDescription())));
      }
    };
  }
}
