package dev.upcall.house;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls what a module exports to everybody, each method and constructor again and again with one
 * argument that is wrong and all others good: null where null is not allowed, which must be a
 * {@link NullPointerException} that names the argument, thrown at once; and numbers at the ends of
 * their types, which must be taken, or refused in words of the caller's.
 */
public final class FaceArguments {
  private static final Set<String> OF_OBJECTS = Set.of("equals", "compareTo");

  /** Numbers of which less than nothing is refused by all that works. */
  private static final Set<String> NEVER_NEGATIVE =
      Set.of(
          "offset",
          "length",
          "limit",
          "maxBytes",
          "sizeBytes",
          "capacity",
          "maxRequests",
          "delayNanos",
          "requests");

  private final List<Class<?>> types;
  private final Map<Class<?>, Supplier<?>> samples = new LinkedHashMap<>();
  private final Map<String, Supplier<?>> byName = new TreeMap<>();
  private final List<Subject> subjects = new ArrayList<>();
  private final Set<String> excepted = new TreeSet<>();
  private final Set<String> needed = new TreeSet<>();
  private final List<String> complaints = new ArrayList<>();
  private final ConcurrentLinkedQueue<Completion<?>> heard = new ConcurrentLinkedQueue<>();
  private int calls;

  /** Where calls of a subject are made, and how their completions are waited for. */
  public interface Caller {
    /** Makes a call, and throws what it throws. */
    default @Nullable Object call(Call call) throws Throwable {
      return call.run();
    }

    /** What came of a call, where that is there when it returns. */
    default Completion<?> answer(@Nullable Object returned) {
      return returned instanceof Completion<?> given ? given : Completion.done();
    }

    /** Waits until what was asked is answered; fails when nobody answers any more. */
    void settle();
  }

  /** One call. */
  public interface Call {
    @Nullable Object run() throws Throwable;
  }

  private record Subject(Class<?> face, Object receiver, Caller caller) {}

  /** The face of the module that a class belongs to. */
  public FaceArguments(Class<?> ofModule) {
    this.types = PublicTypes.in(ofModule);
    CompletionPort<Object> port = heard::add;
    sample(CompletionPort.class, () -> port);
    sample(String.class, () -> "text");
    sample(CharSequence.class, () -> "/text");
    sample(byte[].class, () -> new byte[3]);
    sample(java.nio.ByteBuffer.class, () -> java.nio.ByteBuffer.allocate(3));
    sample(List.class, List::of);
    sample(Map.class, TreeMap::new);
    sample(SortedMap.class, TreeMap::new);
    sample(Optional.class, Optional::empty);
    sample(OptionalInt.class, OptionalInt::empty);
    sample(OptionalLong.class, OptionalLong::empty);
    sample(Thread.class, Thread::currentThread);
    sample(Throwable.class, () -> new Throwable("a sample"));
    sample(java.io.IOException.class, () -> new java.io.IOException("a sample"));
    sample(
        java.io.UncheckedIOException.class,
        () -> new java.io.UncheckedIOException(new java.io.IOException("a sample")));
    sample(Integer.class, () -> 1);
    sample(Long.class, () -> 1L);
    sample(Class.class, () -> Thread.State.class);
    sample(Enum.class, () -> Thread.State.NEW);
    sample(Object.class, () -> "an object");
    sample(java.time.Instant.class, () -> java.time.Instant.EPOCH);
    sample(java.time.Duration.class, () -> java.time.Duration.ofSeconds(1));
  }

  /** A good value of a type; asked for each time one is needed. */
  public <T> FaceArguments sample(Class<T> type, Supplier<? extends T> value) {
    samples.put(type, value);
    return this;
  }

  /** A good value of arguments of a name. */
  public FaceArguments named(String argument, Supplier<?> value) {
    byName.put(argument, value);
    return this;
  }

  /** Something whose methods are called, as a caller meets it. */
  public <T> FaceArguments subject(Class<? super T> face, T receiver, Caller caller) {
    subjects.add(new Subject(face, receiver, caller));
    samples.putIfAbsent(face, () -> receiver);
    return this;
  }

  /**
   * An argument, a method ({@code Type.name}) or a type that is not tried, for a reason that the
   * caller has beside it.
   */
  public FaceArguments except(Map<String, String> reasons) {
    excepted.addAll(reasons.keySet());
    return this;
  }

  /** All that is wrong with what the subjects do, a line each. */
  public List<String> ofSubjects() {
    subjects.forEach(this::tryAll);
    return complaints;
  }

  /** As {@link #ofSubjects}, and of all else; and exceptions that nothing needs. */
  public List<String> complaints() {
    ofSubjects();
    for (Class<?> type : types) {
      tryAll(type);
    }
    for (String exception : excepted) {
      if (!needed.contains(exception)) {
        complaints.add(exception + " is an exception that is not needed");
      }
    }
    return complaints;
  }

  /** How many calls were made. */
  public int calls() {
    return calls;
  }

  // ------------------------------------------------------------------ what is called

  private void tryAll(Subject subject) {
    for (Method method : sorted(subject.face().getMethods())) {
      if (isOurs(method) && !Modifier.isStatic(method.getModifiers())) {
        tryArguments(method, subject);
      }
    }
  }

  private void tryAll(Class<?> type) {
    if (isExcepted(type.getSimpleName())) {
      return;
    }
    Caller here = () -> {};
    if (!Modifier.isAbstract(type.getModifiers())) {
      for (Constructor<?> constructor : type.getConstructors()) {
        tryArguments(constructor, new Subject(type, type, here));
      }
    }
    boolean known = subjects.stream().anyMatch(subject -> subject.face() == type);
    for (Method method : sorted(type.getDeclaredMethods())) {
      if (!isOurs(method) || !takesSomething(method)) {
        continue;
      }
      if (Modifier.isStatic(method.getModifiers())) {
        tryArguments(method, new Subject(type, type, here));
      } else if (!known && !isReached(type)) {
        if (!isExcepted(name(method))) {
          tryOnSample(method, type, here);
        }
      }
    }
  }

  private static List<Method> sorted(Method[] methods) {
    return Stream.of(methods).sorted(Comparator.comparing(Method::toGenericString)).toList();
  }

  private void tryOnSample(Method method, Class<?> type, Caller here) {
    try {
      tryArguments(method, new Subject(type, value(type), here));
    } catch (IllegalArgumentException none) {
      complaints.add(name(method) + ": nothing to call it on: " + none.getMessage());
    }
  }

  /** Whether a subject of a narrower type has had its methods called. */
  private boolean isReached(Class<?> type) {
    return subjects.stream().anyMatch(subject -> type.isAssignableFrom(subject.face()));
  }

  private boolean isOurs(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !method.isSynthetic()
        && !OF_OBJECTS.contains(method.getName())
        && !(method.getDeclaringClass().isEnum() && method.getName().equals("valueOf"))
        && method.getDeclaringClass().getName().startsWith("dev.upcall.");
  }

  private static boolean takesSomething(Executable executable) {
    return executable.getParameterCount() > 0;
  }

  private void tryArguments(Executable executable, Subject subject) {
    if (isExcepted(name(executable))) {
      return;
    }
    Parameter[] parameters = executable.getParameters();
    AnnotatedType[] annotated = executable.getAnnotatedParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      String where = name(executable) + "(" + parameters[i].getName() + ")";
      Class<?> type = parameters[i].getType();
      if (type.isPrimitive()) {
        for (Object number : numbers(type)) {
          if (!isExcepted(where)) {
            tryNumber(executable, subject, i, number);
          }
        }
      } else if (!isNullable(annotated[i]) && !isExcepted(where)) {
        tryNull(executable, subject, i, null);
        if (type == List.class && subjects.contains(subject)) {
          tryNull(executable, subject, i, Arrays.asList((Object) null));
        }
      }
    }
  }

  private boolean isExcepted(String what) {
    if (excepted.contains(what)) {
      needed.add(what);
      return true;
    }
    return false;
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class)
        || type instanceof AnnotatedTypeVariable variable
            && Arrays.stream(variable.getAnnotatedBounds()).anyMatch(FaceArguments::isNullable);
  }

  private static List<Object> numbers(Class<?> type) {
    if (type == int.class) {
      return List.of(Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
    }
    return type == long.class ? List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE) : List.of();
  }

  // ------------------------------------------------------------------ what must come of it

  private void tryNull(
      Executable executable, Subject subject, int index, @Nullable Object nothing) {
    Throwable thrown = call(executable, subject, index, nothing);
    boolean named =
        thrown instanceof NullPointerException
            && thrown.getMessage() != null
            && !thrown.getMessage().contains("because")
            && isNamed(executable, index, thrown.getMessage());
    if (!named) {
      complain(executable, subject, index, String.valueOf(nothing), thrown);
    }
  }

  private void tryNumber(Executable executable, Subject subject, int index, Object number) {
    Throwable thrown = call(executable, subject, index, number);
    boolean refused =
        thrown != null || heard.stream().anyMatch(Completion.Failed.class::isInstance);
    String name = executable.getParameters()[index].getName();
    boolean mustRefuse =
        ((Number) number).longValue() < 0
            && NEVER_NEGATIVE.contains(name)
            && subjects.contains(subject);
    if (!isFit(executable, index, thrown) || mustRefuse && !refused) {
      complain(executable, subject, index, String.valueOf(number), thrown);
    }
  }

  /** Taken, refused by name, or an expected failure. */
  private boolean isFit(Executable executable, int index, @Nullable Throwable thrown) {
    return switch (thrown) {
      case null -> true;
      case IndexOutOfBoundsException _ -> true;
      case IllegalArgumentException refused ->
          refused.getMessage() != null && isNamed(executable, index, refused.getMessage());
      default -> thrown.getClass().getSuperclass().getSimpleName().equals("UpcallException");
    };
  }

  /** By its own name, or by that of the setting that the method is called after. */
  private static boolean isNamed(Executable executable, int index, String message) {
    String small = message.toLowerCase(Locale.ROOT);
    String setting = executable.getName().replaceFirst("^with(in)?(?=[A-Z])", "");
    return message.contains(executable.getParameters()[index].getName())
        || executable.getName().startsWith("with")
            && small.contains(setting.toLowerCase(Locale.ROOT));
  }

  private void complain(
      Executable executable,
      Subject subject,
      int index,
      String argument,
      @Nullable Throwable thrown) {
    complaints.add(
        "%s(%s = %s) on %s: %s"
            .formatted(
                name(executable),
                executable.getParameters()[index].getName(),
                argument,
                subject.receiver() == subject.face()
                    ? "the type"
                    : subject.receiver().getClass().getSimpleName(),
                thrown == null ? "taken" : thrown));
  }

  private static String name(Executable executable) {
    String type = executable.getDeclaringClass().getSimpleName();
    return executable instanceof Constructor ? type + ".new" : type + "." + executable.getName();
  }

  // ------------------------------------------------------------------ calling

  /** What a call throws, or its thread's end; null if nothing. */
  private @Nullable Throwable call(
      Executable executable, Subject subject, int wrong, @Nullable Object value) {
    calls++;
    heard.clear();
    Throwable thrown = null;
    try {
      @Nullable Object[] arguments = arguments(executable, subject.face());
      arguments[wrong] = value;
      Object returned =
          subject
              .caller()
              .call(
                  () ->
                      executable instanceof Constructor<?> constructor
                          ? constructor.newInstance(arguments)
                          : invoke((Method) executable, subject.receiver(), arguments));
      heard.add(subject.caller().answer(returned));
      giveBack(returned);
    } catch (InvocationTargetException inside) {
      thrown = inside.getCause();
    } catch (Throwable error) {
      thrown = error;
    }
    try {
      subject.caller().settle();
    } catch (RuntimeException dead) {
      return new AssertionError("nobody answers afterwards", dead);
    }
    for (Completion<?> completion : heard) {
      giveBack(completion instanceof Completion.Done<?>(Object given) ? given : null);
    }
    return thrown;
  }

  private static void giveBack(@Nullable Object given) {
    if (given instanceof ContentSlice slice) {
      slice.release();
    }
  }

  private static @Nullable Object invoke(
      Method method, Object receiver, @Nullable Object[] arguments) throws Exception {
    method.setAccessible(true);
    return method.invoke(receiver, arguments);
  }

  private @Nullable Object[] arguments(Executable executable, Class<?> face) {
    Parameter[] parameters = executable.getParameters();
    RecordComponent[] components =
        executable instanceof Constructor<?> constructor
                && isCanonical(constructor)
                && samples.containsKey(face)
            ? face.getRecordComponents()
            : null;
    @Nullable Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] =
          components == null ? value(parameters[i]) : component(components[i], value(face));
    }
    return arguments;
  }

  private static boolean isCanonical(Constructor<?> constructor) {
    RecordComponent[] components = constructor.getDeclaringClass().getRecordComponents();
    return components != null
        && Arrays.equals(
            Stream.of(components).map(RecordComponent::getType).toArray(),
            constructor.getParameterTypes());
  }

  private static @Nullable Object component(RecordComponent component, Object of) {
    try {
      return invoke(component.getAccessor(), of, new Object[0]);
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
  }

  // ------------------------------------------------------------------ good values

  private Object value(Parameter parameter) {
    Supplier<?> named = byName.get(parameter.getName());
    Object value = named == null ? null : named.get();
    return parameter.getType().isInstance(value) ? value : value(parameter.getType());
  }

  private Object value(Class<?> type) {
    Supplier<?> sample = samples.get(type);
    if (sample != null) {
      return sample.get();
    }
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 1;
    }
    if (type == long.class) {
      return 1L;
    }
    if (type == double.class) {
      return 0.5;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isRecord()) {
      return record(type);
    }
    if (type.isInterface() && type.isSealed()) {
      return value(type.getPermittedSubclasses()[0]);
    }
    if (type.isInterface()) {
      return Proxy.newProxyInstance(
          FaceArguments.class.getClassLoader(),
          new Class<?>[] {type},
          (proxy, method, arguments) -> answer(method));
    }
    throw new IllegalArgumentException("no sample of " + type.getName());
  }

  private static @Nullable Object answer(Method method) {
    Class<?> answer = method.getReturnType();
    if (answer == int.class) {
      return 0;
    }
    if (answer == long.class) {
      return 0L;
    }
    return answer == boolean.class ? Boolean.FALSE : null;
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(Stream.of(types).map(this::value).toArray());
    } catch (InvocationTargetException refused) {
      throw new IllegalArgumentException("no sample of " + type.getName(), refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
