package dev.upcall.bench.harness;

import dev.upcall.bench.host.Child;
import dev.upcall.bench.host.LargePages;
import dev.upcall.bench.host.WithoutRing;
import dev.upcall.io.NativeAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Where comparisons happen: a scratch folder, child processes, and a voice. When it is closed, and
 * when the user presses Ctrl-C, its children end and its files are gone.
 */
public final class Lab implements AutoCloseable {
  /**
   * A property of a JVM that starts many children and measures nothing: the flags, one a line, by
   * which they find the classes of this one faster than by its class path.
   */
  public static final String CHILD_CLASSES = "upcall.bench.childClasses";

  private static final int REMOVALS = 5;

  private final Settings settings;
  private final PrintWriter progress;
  private final LargePages largePages;
  private final Cores cores = Cores.find();
  private final Path scratch;
  private final List<Child> children = new ArrayList<>();
  private final Thread onExit = Thread.ofPlatform().name("clean-up").unstarted(this::cleanUp);
  private final long beginNanos = System.nanoTime();
  private boolean closed;
  private int started;

  /** Opens a lab with a scratch folder of its own, on a machine whose free memory lies together. */
  public Lab(Settings settings, PrintWriter progress) throws IOException {
    this(settings, progress, LargePages.KERNEL);
  }

  /**
   * The same.
   *
   * @param largePages what the kernel says of memory
   */
  public Lab(Settings settings, PrintWriter progress, LargePages largePages) throws IOException {
    this.settings = settings;
    this.progress = progress;
    this.largePages = largePages;
    this.scratch = Files.createTempDirectory(folder(settings.directory()), "upcall-bench-");
    // A peer that refuses to run as root has its files below as somebody else.
    Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwx--x--x"));
    Runtime.getRuntime().addShutdownHook(onExit);
    compactMemory();
    String compilers = NativeAccess.changesOfCompilers();
    if (compilers != null) {
      say("%s", compilers);
    }
  }

  /**
   * A folder for files, made with those above it when it is not there.
   *
   * @throws IOException that says which path it is and why nothing can be written there
   */
  public static Path folder(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute);
    } catch (FileAlreadyExistsException file) {
      throw new IOException(file.getFile() + " is a file and not a directory", file);
    } catch (IOException impossible) {
      throw new IOException(
          "cannot make the directory " + absolute + ": " + impossible, impossible);
    }
    if (!Files.isWritable(absolute)) {
      throw new IOException("nothing can be written in the directory " + absolute);
    }
    return absolute;
  }

  /** How long and how often. */
  public Settings settings() {
    return settings;
  }

  /** Which core does what. */
  public Cores cores() {
    return cores;
  }

  /** The folder of all files of this lab, on the device that is measured. */
  public Path scratch() {
    return scratch;
  }

  /**
   * The place of an input that takes long to make: in the folder of those that are kept, if the
   * user has named one, else in the scratch folder. It may be there already.
   */
  public Path input(String name) throws IOException {
    Path kept = settings.kept();
    return kept == null
        ? scratch.resolve(name)
        : Files.createDirectories(kept.toAbsolutePath()).resolve(name);
  }

  /** How much memory lies in large pages. */
  public LargePages largePages() {
    return largePages;
  }

  /**
   * Has the kernel move memory so that what is free lies together, where this process may, and says
   * how it lies then. Nothing when nothing is measured.
   */
  void compactMemory() {
    if (!settings.quick()) {
      String found = largePages.freeMemory();
      if (largePages.compact()) {
        say("free memory: %s; before it was compacted %s", largePages.freeMemory(), found);
      } else {
        say("free memory: %s; only root may compact it", found);
      }
    }
  }

  /** A line for the user, with the time since the beginning. */
  public void say(String format, Object... arguments) {
    String line = String.format(Locale.ROOT, format, arguments);
    progress.printf(Locale.ROOT, "[%4.0f s] %s%n", (System.nanoTime() - beginNanos) / 1e9, line);
    progress.flush();
  }

  /** Starts a program. */
  public Child start(String name, List<String> command) throws IOException {
    synchronized (children) {
      if (closed) {
        throw new IOException("stopped by the user");
      }
      Path errors = scratch.resolve("errors-" + ++started);
      ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.redirectError(errors.toFile());
      Child child = new Child(name, builder.start(), errors);
      children.add(child);
      return child;
    }
  }

  /** Runs a program to its end and gives what it printed. */
  public String run(String name, List<String> command, long seconds)
      throws IOException, InterruptedException {
    Child child = start(name, command);
    try {
      return child.finish(seconds);
    } finally {
      end(child);
    }
  }

  /** Ends a child, which has a second to end by itself when its input does. */
  public void end(Child child) {
    child.close();
    forget(child);
  }

  /** Ends a child that does not read its input, a server for example: with SIGTERM at once. */
  public void terminate(Child child) {
    child.terminate();
    forget(child);
  }

  private void forget(Child child) {
    synchronized (children) {
      children.remove(child);
    }
  }

  /** The command line of a Java program with this process's own flags and class path. */
  public List<String> java(String mainClass, List<String> arguments) {
    return java(List.of(), mainClass, arguments);
  }

  /** The same with more flags. */
  public List<String> java(List<String> flags, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A JVM takes one collector only: that of the flags goes before this JVM's own.
    boolean hasCollector = flags.stream().anyMatch(Lab::isCollector);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent"))
        .filter(flag -> !hasCollector || !isCollector(flag))
        .forEach(command::add);
    if (settings.quick()) {
      // Nothing is measured, so nothing needs the optimising compiler; and of leaks, for which
      // tests have Netty watch each buffer, a child would tell nobody.
      command.add("-XX:TieredStopAtLevel=1");
      command.add("-Dio.netty.leakDetection.level=disabled");
    }
    command.addAll(flags);
    String classes = System.getProperty(CHILD_CLASSES);
    command.addAll(
        classes == null
            ? List.of("-cp", System.getProperty("java.class.path"))
            : List.of(classes.split("\n", -1)));
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  /** A command to which the kernel refuses io_uring. */
  public List<String> withoutRing(List<String> command) {
    return java(WithoutRing.class.getName(), command);
  }

  private static boolean isCollector(String flag) {
    return flag.startsWith("-XX:+Use") && flag.endsWith("GC");
  }

  /** Removes a file or a folder with all that is in it; nothing when it is not there. */
  public static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void cleanUp() {
    synchronized (children) {
      closed = true;
      children.forEach(Child::stop);
      children.clear();
    }
    for (int attempt = 1; attempt <= REMOVALS; attempt++) {
      try {
        remove(scratch);
        return;
      } catch (IOException | UncheckedIOException busy) {
        // A process that was just killed may have made one file more.
        if (attempt == REMOVALS) {
          say("could not remove %s: %s", scratch, busy);
        }
      }
    }
  }

  /** Whether the user asked for the end. */
  public boolean isStopped() {
    synchronized (children) {
      return closed;
    }
  }

  @Override
  public void close() {
    if (!isStopped()) {
      cleanUp();
      Runtime.getRuntime().removeShutdownHook(onExit);
    }
  }
}
