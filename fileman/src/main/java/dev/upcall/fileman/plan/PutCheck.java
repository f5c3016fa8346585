package dev.upcall.fileman.plan;

import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import dev.upcall.content.Texts;
import dev.upcall.segment.layout.Inode;
import java.util.Optional;

/** What must hold before something is made under a name; shared by the early check of a put. */
final class PutCheck {
  private PutCheck() {}

  /** Where a put will go; refuses when its options forbid it. */
  static Resolution check(NameView names, StorePath path, PutOptions options) {
    Resolution target = Resolver.resolve(names, path, options.links());
    ConditionCheck.check(options.condition(), names, path, target);
    switch (target) {
      case Resolution.Found found -> {
        Tables.checkContent(found.kind(), path);
      }
      case Resolution.Missing missing -> checkParents(names, missing, options.parents(), path);
    }
    return target;
  }

  /** The options of the content of a file that is put there. */
  static Looks.ContentChoice choice(NameView names, Resolution target, PutOptions options) {
    long from =
        switch (target) {
          case Resolution.Found found when found.kind() == Kind.FILE -> found.id();
          case Resolution.Found found -> found.directory();
          case Resolution.Missing missing -> missing.directory();
        };
    Inode inode = names.inodeIfThere(from);
    Looks.ContentChoice asked = Looks.ContentChoice.of(options.metadata().attributes());
    return inode == null ? asked : asked.or(Looks.ContentChoice.of(inode.attributes()));
  }

  /** Refuses a missing way unless parents are to be made, and one to where nothing can be put. */
  static void checkParents(
      NameView names, Resolution.Missing missing, Parents parents, StorePath path) {
    Unlinked.check(names, path, missing);
    if (parents == Parents.MUST_EXIST && !missing.inExistingDirectory()) {
      throw new Refused(new Failure.NotFound("the parent directory of " + path));
    }
  }

  /** The bytes of a name that may come out of a link's target, where nobody has checked it yet. */
  static byte[] checkedName(String name) {
    Optional<String> wrong = StorePath.whatIsWrongWith(name);
    if (wrong.isPresent()) {
      throw new Refused(new Failure.Invalid(wrong.get()));
    }
    return Texts.utf8(name).orElseThrow();
  }
}
