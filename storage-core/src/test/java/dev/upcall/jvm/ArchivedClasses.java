package dev.upcall.jvm;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * How JVMs that tests start find their classes: half of the processor time until a server serves
 * goes into loading and verifying them. Once, a program rehearses what they do, and the classes
 * that it has loaded are written into an archive that the others map. Java archives classes of jars
 * only, so folders of the class path become jars first.
 *
 * <p>A JVM that cannot use the archive does without, and is only slower. For any thread.
 */
public final class ArchivedClasses {
  private static final Path FOLDER = Path.of("target", "archived-classes").toAbsolutePath();

  private final String rehearsal;
  private final int first;
  private int asked;
  private @Nullable List<String> archived;

  /**
   * Nothing is made yet.
   *
   * @param rehearsal the name of a class whose main method is given an empty folder
   * @param first which JVM is the first with an archive: who starts fewer does not get back what it
   *     costs
   */
  public ArchivedClasses(String rehearsal, int first) {
    this.rehearsal = rehearsal;
    this.first = first;
  }

  /**
   * The flags by which the next JVM finds the classes of this one.
   *
   * @param flags those that the JVMs have besides, the collector's among them
   * @throws IOException when the rehearsal fails, with what it said
   */
  public synchronized List<String> flags(List<String> flags) throws IOException {
    asked++;
    if (asked < first) {
      return List.of("-cp", classPath());
    }
    List<String> all = archived;
    if (all == null) {
      all = archive(flags);
      archived = all;
    }
    return all;
  }

  private List<String> archive(List<String> flags) throws IOException {
    Path folder = Files.createTempDirectory(Files.createDirectories(FOLDER), "of");
    // Some 50 MB; whom this JVM has started does not outlive it.
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> remove(folder)));
    Path archive = folder.resolve("classes.jsa");
    List<String> jars = new ArrayList<>();
    for (String entry : classPath().split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      jars.add(Files.isDirectory(path) ? jar(path, folder, jars.size()) : entry);
    }
    String classPath = String.join(File.pathSeparator, jars);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath));
    Path run = Files.createDirectory(folder.resolve("run"));
    command.addAll(List.of(rehearsal, run.toString()));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException("the rehearsal failed: " + Files.readString(log));
      }
    } catch (InterruptedException during) {
      process.destroyForcibly();
      throw new IOException("interrupted during the rehearsal", during);
    }
    // What Java says of flags that it does not archive would stand among what they say.
    return List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:aot*=off,cds*=off", "-cp", classPath);
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Puts the files of a folder into a jar, as they are. */
  private static String jar(Path classes, Path folder, int number) throws IOException {
    Path jar = folder.resolve("classes" + number + ".jar");
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        ZipEntry entry = new ZipEntry(classes.relativize(file).toString());
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(crc.getValue());
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
      }
    }
    return jar.toString();
  }

  /** Surefire may put the real class path behind one manifest. */
  private static String classPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire == null ? System.getProperty("java.class.path") : surefire;
  }
}
