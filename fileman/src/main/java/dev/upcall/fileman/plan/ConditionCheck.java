package dev.upcall.fileman.plan;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileVersion;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.segment.layout.Inode;
import java.util.List;
import java.util.stream.Collectors;

/** Refuses what is found under a path when the condition of a request does not hold of it. */
final class ConditionCheck {
  private ConditionCheck() {}

  static void check(FileCondition condition, NameView names, StorePath path, Resolution target) {
    switch (target) {
      case Resolution.Missing _ -> checkMissing(condition, path);
      case Resolution.Found found -> {
        if (condition.existence() == Existence.MUST_NOT_EXIST) {
          throw new Refused(new Failure.AlreadyExists(path.toString()));
        }
        if (condition.directory() && found.kind() != Kind.DIRECTORY) {
          throw new Refused(new Failure.NotADirectory(path.toString()));
        }
        // What asks for no version costs no look at the inode.
        if (condition.anyOf().isPresent()
            || !condition.noneOf().isEmpty()
            || condition.unmodifiedSinceNanos().isPresent()) {
          checkVersion(condition, path, names.inode(found.id()));
        }
      }
    }
  }

  private static void checkMissing(FileCondition condition, StorePath path) {
    if (condition.existence() == Existence.MUST_EXIST) {
      throw new Refused(new Failure.NotFound(path.toString()));
    }
    if (condition.anyOf().isPresent()) {
      String expected = tags(condition.anyOf().get());
      throw new Refused(new Failure.VersionMismatch(path.toString(), expected, ""));
    }
  }

  private static void checkVersion(FileCondition condition, StorePath path, Inode inode) {
    FileVersion found = new FileVersion(inode.id(), inode.version());
    if (condition.anyOf().isPresent() && !condition.anyOf().get().contains(found)) {
      throw mismatch(path, tags(condition.anyOf().get()), found);
    }
    if (condition.noneOf().contains(found)) {
      throw mismatch(path, "none of " + tags(condition.noneOf()), found);
    }
    long since = condition.unmodifiedSinceNanos().orElse(Long.MAX_VALUE);
    if (inode.times().contentChangedNanos() > since) {
      throw mismatch(path, "one not modified since " + since + " ns", found);
    }
  }

  private static Refused mismatch(StorePath path, String expected, FileVersion found) {
    return new Refused(new Failure.VersionMismatch(path.toString(), expected, found.tag()));
  }

  private static String tags(List<FileVersion> versions) {
    return versions.stream().map(FileVersion::tag).collect(Collectors.joining(" or "));
  }
}
