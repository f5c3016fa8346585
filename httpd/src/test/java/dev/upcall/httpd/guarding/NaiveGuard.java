package dev.upcall.httpd.guarding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A second, naive reading of the rules: texts instead of trees, and names walked one by one over a
 * map of all that is there. It shares nothing with what it judges.
 *
 * @param entries "" for a file, "/" for a directory, else the target of a link; by path
 * @param rules right, path and names of callers, with blanks between them
 * @param caller "" for nobody in particular
 */
record NaiveGuard(Map<String, String> entries, List<String> rules, String caller) {
  /** Where a way ends. */
  record Way(List<String> led, String kind) {}

  boolean may(String right, String path) {
    String longest = null;
    Set<String> who = Set.of();
    for (String rule : rules) {
      String[] words = rule.split(" ", 3);
      String prefix = words[1].equals("/") ? "/" : words[1] + "/";
      if (words[0].equals(right) && (path + "/").replace("//", "/").startsWith(prefix)) {
        if (longest == null || prefix.length() > longest.length()) {
          longest = prefix;
          who = new TreeSet<>();
        }
        if (prefix.length() == longest.length()) {
          who.addAll(List.of(words[2].split(" ")));
        }
      }
    }
    return who.contains("anyone")
        || (!caller.isEmpty() && (who.contains("known") || who.contains(caller)));
  }

  boolean maySee(String path) {
    return may("read", path) || may("list", path);
  }

  boolean mayKnow(String path) {
    return maySee(path) || may("write", path);
  }

  Way follow(String path, boolean lastToo) {
    List<String> led = new ArrayList<>();
    List<String> ahead = new ArrayList<>(Arrays.asList(path.substring(1).split("/")));
    String at = "";
    int links = 0;
    boolean left = false;
    while (!ahead.isEmpty()) {
      String name = ahead.removeFirst();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (name.equals("..")) {
        at = at.isEmpty() ? "" : at.substring(0, at.lastIndexOf('/'));
        continue;
      }
      String place = at + "/" + name;
      String kind = entries.get(place);
      boolean last = ahead.stream().allMatch(String::isEmpty);
      if (kind == null) {
        StringBuilder rest = new StringBuilder(place);
        for (String more : ahead) {
          if (more.equals("..")) {
            break;
          }
          rest.append(more.isEmpty() || more.equals(".") ? "" : "/" + more);
        }
        return end(led, left, rest.toString(), "missing");
      }
      if (kind.equals("/")) {
        at = place;
        if (last) {
          return end(led, left, place, "directory");
        }
      } else if (kind.isEmpty()) {
        return end(led, left, place, last ? "file" : "missing");
      } else if (last && !lastToo) {
        return end(led, left, place, "link");
      } else {
        if (left) {
          led.add(place);
        }
        left = true;
        if (++links > 40) {
          return new Way(led, "missing");
        }
        at = kind.startsWith("/") ? "" : at;
        ahead.addAll(0, Arrays.asList(kind.split("/")));
      }
    }
    return end(led, left, at.isEmpty() ? "/" : at, "directory");
  }

  private static Way end(List<String> led, boolean left, String place, String kind) {
    if (left) {
      led.add(place);
    }
    return new Way(led, kind);
  }

  private boolean all(String right, List<String> places) {
    return places.stream().allMatch(place -> may(right, place));
  }

  /** Whether a GET of a path without a slash is answered as it is without rules. */
  boolean reads(String path) {
    Way way = follow(path, true);
    return way.kind().equals("directory")
        ? maySee(path) && way.led().stream().allMatch(this::maySee)
        : may("read", path) && all("read", way.led());
  }

  boolean lists(String path) {
    return may("list", path) && all("list", follow(path, true).led());
  }

  boolean writes(String path, boolean follows) {
    return may("write", path) && all("write", follow(path, follows).led());
  }

  /** Whether an entry of a directory is shown, by all names of the directory. */
  boolean shows(String directory, String name) {
    List<String> led = follow(directory, true).led();
    String base = directory.equals("/") ? "" : directory;
    if (led.isEmpty()) {
      return mayKnow(base + "/" + name);
    }
    String own = led.getLast().equals("/") ? "" : led.getLast();
    return mayKnow(base + "/" + name) && mayKnow(own + "/" + name);
  }

  /** The path of a directory's index. */
  static String indexOf(String path) {
    return (path.equals("/") ? "" : path) + "/index.html";
  }

  /** Whether the answer to a GET of a directory is its index. */
  boolean isIndex(String path, boolean json) {
    String index = indexOf(path);
    return !json && reads(index) && follow(index, true).kind().equals("file");
  }

  /** Whether a request is answered as it is without rules. */
  boolean answers(String method, String path, boolean listing, boolean json) {
    return switch (method) {
      case "PUT" -> writes(path, true);
      case "DELETE", "PATCH" -> writes(path, false);
      default -> listing ? isIndex(path, json) || lists(path) : reads(path);
    };
  }

  /** The names on the page about a directory. */
  Set<String> page(String path) {
    List<String> led = follow(path, true).led();
    String own = led.isEmpty() ? path : led.getLast();
    String below = own.equals("/") ? "/" : own + "/";
    Set<String> names = new TreeSet<>();
    for (String entry : entries.keySet()) {
      if (entry.startsWith(below) && entry.indexOf('/', below.length()) < 0) {
        String name = entry.substring(below.length());
        if (shows(path, name)) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
