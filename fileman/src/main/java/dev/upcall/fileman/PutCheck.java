package dev.upcall.fileman;

import dev.upcall.fsm.Failure;
import dev.upcall.segment.Kind;
import java.util.Objects;

/** What must hold before something is made under a name; shared by the early check of a put. */
final class PutCheck {
  private PutCheck() {}

  /** Where a put will go; refuses when its options forbid it. */
  static Resolution check(Namespace namespace, StorePath path, PutOptions options) {
    Resolution target = Resolver.resolve(namespace, path, options.links());
    switch (target) {
      case Resolution.Found found -> checkReplaceable(namespace, path, options, found);
      case Resolution.Missing missing -> {
        if (options.existence() == Existence.MUST_EXIST) {
          throw new Refused(new Failure.NotFound(path.toString()));
        }
        if (options.expectedVersion() != null) {
          throw new Refused(new Failure.Conflict(path + " does not exist any more"));
        }
        checkParents(missing, options.parents(), path);
      }
    }
    return target;
  }

  /** Refuses a missing way unless parents are to be made. */
  static void checkParents(Resolution.Missing missing, boolean parents, StorePath path) {
    if (!parents && !missing.inExistingDirectory()) {
      throw new Refused(new Failure.NotFound("the parent directory of " + path));
    }
  }

  /** The bytes of a name that may come out of a link's target, where nobody has checked it yet. */
  static byte[] checkedName(String name) {
    String wrong = StorePath.whatIsWrongWith(name);
    if (wrong != null) {
      throw new Refused(new Failure.Invalid(wrong));
    }
    return Objects.requireNonNull(StorePath.encode(name));
  }

  private static void checkReplaceable(
      Namespace namespace, StorePath path, PutOptions options, Resolution.Found found) {
    if (options.existence() == Existence.MUST_NOT_EXIST) {
      throw new Refused(new Failure.AlreadyExists(path.toString()));
    }
    if (found.kind() == Kind.DIRECTORY) {
      throw new Refused(new Failure.IsADirectory(path.toString()));
    }
    long version = namespace.inode(found.id()).version();
    if (options.expectedVersion() != null && options.expectedVersion() != version) {
      throw new Refused(
          new Failure.Conflict(
              "%s has version %d, not %d".formatted(path, version, options.expectedVersion())));
    }
  }
}
