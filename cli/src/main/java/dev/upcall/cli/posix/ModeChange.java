package dev.upcall.cli.posix;

import dev.upcall.cli.option.CommandFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code chmod} is told: an octal number, or clauses such as {@code u+x,go-w} and {@code
 * a+rX}. Where a clause names nobody, all are meant, but only the owner for the right to write.
 */
final class ModeChange {
  private static final Pattern OCTAL = Pattern.compile("[0-7]{1,4}");
  private static final Pattern CLAUSE = Pattern.compile("([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)");
  private static final Pattern ACTION = Pattern.compile("([-+=])([ugo]|[rwxXst]*)");

  private static final int OWNER = 0700;
  private static final int GROUP = 0070;
  private static final int OTHERS = 0007;
  private static final int ALL_BITS = 07777;
  private static final int EXECUTE = 0111;
  private static final int SET_USER = 04000;
  private static final int SET_GROUP = 02000;
  private static final int STICKY = 01000;

  /** What nobody but the owner gets where a clause names nobody. */
  private static final int USUAL_MASK = 0022;

  private final int absolute;
  private final List<Action> actions;

  private record Action(String who, char sign, String rights) {}

  private ModeChange(int absolute, List<Action> actions) {
    this.absolute = absolute;
    this.actions = actions;
  }

  /** Reads it; what is none is wrong usage. */
  static ModeChange parse(String text) {
    if (OCTAL.matcher(text).matches()) {
      return new ModeChange(Integer.parseInt(text, 8), List.of());
    }
    List<Action> actions = new ArrayList<>();
    for (String clause : text.split(",", -1)) {
      Matcher matcher = CLAUSE.matcher(clause);
      if (!matcher.matches()) {
        throw CommandFailure.usage(
            "'" + text + "' is no mode; write an octal number (644) or clauses (u+x,go-w)");
      }
      Matcher action = ACTION.matcher(matcher.group(2));
      while (action.find()) {
        actions.add(new Action(matcher.group(1), action.group(1).charAt(0), action.group(2)));
      }
    }
    return new ModeChange(0, actions);
  }

  /** To just this mode. */
  static ModeChange to(int mode) {
    return new ModeChange(mode & ALL_BITS, List.of());
  }

  /** The mode of something that had another. */
  int applied(int mode, boolean directory) {
    if (actions.isEmpty()) {
      return absolute;
    }
    int now = mode & ALL_BITS;
    for (Action action : actions) {
      now = applied(action, now, directory);
    }
    return now;
  }

  private static int applied(Action action, int mode, boolean directory) {
    int whose = whose(action.who());
    int bits = bits(action, mode, directory) & whose;
    if (action.who().isEmpty()) {
      bits &= ~USUAL_MASK;
    }
    return switch (action.sign()) {
      case '+' -> mode | bits;
      case '-' -> mode & ~bits;
      default -> (mode & ~whose) | bits;
    };
  }

  private static int whose(String who) {
    if (who.isEmpty() || who.contains("a")) {
      return ALL_BITS;
    }
    int whose = 0;
    whose |= who.contains("u") ? OWNER | SET_USER : 0;
    whose |= who.contains("g") ? GROUP | SET_GROUP : 0;
    return whose | (who.contains("o") ? OTHERS | STICKY : 0);
  }

  /** The rights, for everybody. */
  private static int bits(Action action, int mode, boolean directory) {
    int bits = 0;
    for (char right : action.rights().toCharArray()) {
      bits |=
          switch (right) {
            case 'r' -> 0444;
            case 'w' -> 0222;
            case 'x' -> EXECUTE;
            case 'X' -> directory || (mode & EXECUTE) != 0 ? EXECUTE : 0;
            case 's' -> SET_USER | SET_GROUP;
            case 't' -> STICKY;
            case 'u' -> (mode >> 6 & 7) * EXECUTE;
            case 'g' -> (mode >> 3 & 7) * EXECUTE;
            default -> (mode & 7) * EXECUTE;
          };
    }
    return bits;
  }
}
