package dev.upcall.cli.option;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Replacements for options that people know from their shell and that are not here. */
public final class Instead {
  private static final String ONE_A_LINE = "there is one name a line anyway";
  private static final String TOLD = "--json tells what was done";
  private static final String NOT_ASKED = "nothing is asked; what gives way is said by the options";
  private static final String PIPED = "write the paths with -0, and read them with xargs -0";
  private static final String NEWER = "use -newer with a path or a time";
  private static final String SORTED =
      "names come in the order of their bytes; sort what --json writes";
  private static final String ALL = "all names are shown, also those that begin with a dot";

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("find -exec", PIPED),
          Map.entry("find -ok", PIPED),
          Map.entry("find -delete", PIPED),
          Map.entry("find -print", "paths are printed anyway"),
          Map.entry("find -ls", "use --json, or ls -l -R"),
          Map.entry("find -mtime", NEWER),
          Map.entry("find -mmin", NEWER),
          Map.entry("find -path", "use -name, or grep in what is printed"),
          Map.entry("find -regex", "use -name, or grep in what is printed"),
          Map.entry("ls -a", ALL),
          Map.entry("ls -A", ALL),
          Map.entry("ls -1", ONE_A_LINE),
          Map.entry("ls -d", "use stat"),
          Map.entry("ls -h", "ls -l shows bytes; df -h shows sizes for a person"),
          Map.entry("ls -t", SORTED),
          Map.entry("ls -S", SORTED),
          Map.entry("ls -r", SORTED),
          Map.entry("stat -c", "use --json"),
          Map.entry("stat --format", "use --json"),
          Map.entry("cat -n", "pipe what it writes into cat -n"),
          Map.entry("rm -v", TOLD),
          Map.entry("rm -i", NOT_ASKED),
          Map.entry("rm -d", "empty directories are removed anyway"),
          Map.entry("mv -i", NOT_ASKED),
          Map.entry("mv -n", "nothing gives way without --replace"),
          Map.entry("mv -v", TOLD),
          Map.entry("mv -t", "write the directory last"),
          Map.entry("cp -i", NOT_ASKED),
          Map.entry("cp -p", "modes and times are kept by -r, which takes files, too"),
          Map.entry("cp -u", "use -n, with which files that are there stay"),
          Map.entry("cp -v", TOLD),
          Map.entry("cp -t", "write the directory last"),
          Map.entry("mkdir -m", "use chmod behind it"),
          Map.entry("mkdir -v", TOLD),
          Map.entry("chmod -c", "-v says of each what its mode was and is"),
          Map.entry("touch -a", "a store keeps no time of reading"),
          Map.entry("df -m", "use -k or -h"),
          Map.entry("df -B", "use -k, -h or -H"),
          Map.entry("df -i", "there is no bound of files but the store's size; info tells more"),
          Map.entry("put -r", "a directory is brought in by import"));

  private Instead() {}

  /**
   * The replacement.
   *
   * @param unmatched arguments that the command does not know
   */
  public static Optional<String> of(String command, List<String> unmatched) {
    return unmatched.stream()
        .flatMap(Instead::options)
        .map(option -> WORDS.get(command + " " + option))
        .flatMap(Stream::ofNullable)
        .findFirst();
  }

  /** Several of one letter may stand together. */
  private static Stream<String> options(String argument) {
    String name = argument.split("=", 2)[0];
    boolean letters = name.startsWith("-") && !name.startsWith("--");
    return letters
        ? Stream.concat(Stream.of(name), name.substring(1).chars().mapToObj(c -> "-" + (char) c))
        : Stream.of(name);
  }
}
