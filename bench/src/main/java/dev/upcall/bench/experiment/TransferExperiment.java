package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.CommandEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Import and export of a tree of small files as users run them, start of the JVM included, against
 * {@code cp -r} and {@code sync}. What is read lies in the page cache.
 */
public final class TransferExperiment implements Experiment {
  private static final int FILES_PER_DIRECTORY = 100;
  private static final int LEAST_BYTES = 512;
  private static final int MOST_BYTES = 8192;
  private static final long IMPORT_SECONDS = 300;

  @Override
  public String name() {
    return "transfer";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException, InterruptedException {
    int files = (int) lab.settings().either(200, 20_000);
    Path tree = lab.scratch().resolve("tree");
    CommandEntrant.Work work = new CommandEntrant.Work(files, write(tree, files));
    Path volume = lab.scratch().resolve("export.upcall");
    lab.run("import", importing(lab, tree, volume), IMPORT_SECONDS);
    Entrant copying =
        CommandEntrant.of(
            "cp -r and sync",
            Role.PEER,
            work,
            folder -> shell("cp -r '%s' '%s'".formatted(tree, folder), folder));
    return List.of(
        new Comparison(
            name(),
            "import of %,d files of 0.5 to 8 KiB".formatted(files),
            Figure.perSecond("files"),
            List.of(
                CommandEntrant.of(
                    "upcall import",
                    Role.OURS,
                    work,
                    folder -> importing(lab, tree, folder.resolve("new.upcall"))),
                copying)),
        new Comparison(
            name(),
            "export of the same, and sync",
            Figure.perSecond("files"),
            List.of(
                CommandEntrant.of(
                    "upcall export",
                    Role.OURS,
                    work,
                    folder -> shell(quoted(exporting(lab, volume, folder)), folder)),
                copying)));
  }

  private static List<String> importing(Lab lab, Path tree, Path volume) {
    List<String> arguments =
        new ArrayList<>(List.of("import", tree.toString(), "--store", volume.toString()));
    if (lab.settings().quick()) {
      arguments.add("--volume-size=64m");
    }
    return lab.java("dev.upcall.cli.Main", arguments);
  }

  private static List<String> exporting(Lab lab, Path volume, Path folder) {
    return lab.java(
        "dev.upcall.cli.Main",
        List.of("export", "/", folder.resolve("out").toString(), "--store", volume.toString()));
  }

  private static String quoted(List<String> command) {
    return "'" + String.join("' '", command) + "'";
  }

  /** A shell that runs a command and brings what it wrote to the device. */
  private static List<String> shell(String command, Path folder) {
    return List.of("/bin/sh", "-c", command + " && sync -f '" + folder + "'");
  }

  /** Writes a tree; its bytes. */
  private static long write(Path tree, int files) throws IOException {
    Random random = new Random(6);
    long bytes = 0;
    for (int i = 0; i < files; i++) {
      Path directory = tree.resolve("d" + i / FILES_PER_DIRECTORY);
      Files.createDirectories(directory);
      byte[] content = new byte[random.nextInt(LEAST_BYTES, MOST_BYTES + 1)];
      random.nextBytes(content);
      Files.write(directory.resolve("f" + i), content);
      bytes += content.length;
    }
    return bytes;
  }
}
