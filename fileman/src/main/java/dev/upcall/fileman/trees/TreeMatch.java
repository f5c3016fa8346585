package dev.upcall.fileman.trees;

import dev.upcall.trees.TreeEntry;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Patterns over the paths of a walk, with the meaning that they have on the host. */
public final class TreeMatch {
  private static final String REGEX = "regex:";

  private TreeMatch() {}

  /** The form of {@link FileSystem#getPathMatcher}. */
  public static Predicate<TreeEntry> of(String syntaxAndPattern) {
    if (syntaxAndPattern.regionMatches(true, 0, REGEX, 0, REGEX.length())) {
      Pattern pattern = Pattern.compile(syntaxAndPattern.substring(REGEX.length()));
      return entry -> entry.depth() > 0 && pattern.matcher(entry.relative()).matches();
    }
    FileSystem host = FileSystems.getDefault();
    PathMatcher matcher = host.getPathMatcher(syntaxAndPattern);
    return entry -> entry.depth() > 0 && matcher.matches(host.getPath(entry.relative()));
  }

  /** How deep what a glob matches may lie: only two stars cross from a name to the next. */
  public static int maxDepth(String glob) {
    return glob.contains("**")
        ? Integer.MAX_VALUE
        : Math.toIntExact(1 + glob.chars().filter(each -> each == '/').count());
  }
}
