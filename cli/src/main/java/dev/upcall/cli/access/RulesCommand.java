package dev.upcall.cli.access;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.StorePath;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.guard.AccessFile;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.Caller;
import dev.upcall.guard.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Commands that look at a file of rules. */
public abstract sealed class RulesCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The rules; nobody but its owner may read or write it (mode 600).")
  Path file = Path.of("");

  final Shell shell;

  RulesCommand(Shell shell) {
    this.shell = shell;
  }

  final AccessRules rules() {
    return AccessFile.read(shell.resolve(file));
  }

  static List<Right> sorted(Collection<Right> rights) {
    return Arrays.stream(Right.values()).filter(rights::contains).toList();
  }

  static void write(JsonGenerator json, List<Right> rights) throws IOException {
    json.writeArrayFieldStart("rights");
    for (Right right : rights) {
      json.writeString(right.word());
    }
    json.writeEndArray();
  }

  static String text(List<Right> rights) {
    return String.join(",", rights.stream().map(Right::word).toList());
  }

  /** {@code upcall access list}. */
  @Command(
      name = "list",
      description = "List the names of callers, and what is allowed to whom; or say what is wrong.")
  public static final class Listing extends RulesCommand {
    public Listing(Shell shell) {
      super(shell);
    }

    @Override
    public Integer call() throws IOException {
      AccessRules rules = rules();
      if (output.json) {
        JsonDocument.write(shell.out(), json -> write(json, rules));
        return ExitCode.OK;
      }
      for (AccessRules.Name name : rules.names()) {
        String expires =
            name.untilEpochNanos() == Long.MAX_VALUE
                ? ""
                : "  expires " + Json.time(name.untilEpochNanos());
        shell
            .out()
            .printf(
                Locale.ROOT,
                "%-20s tokens %d  certificates %d%s%n",
                name.name(),
                name.tokens(),
                name.certificates(),
                expires);
      }
      for (AccessRules.Rule rule : rules.rules()) {
        shell
            .out()
            .printf(
                Locale.ROOT,
                "line %-4d %-16s %s  %s%n",
                rule.line(),
                text(sorted(rule.rights())),
                rule.path(),
                String.join(" ", rule.who()));
      }
      return ExitCode.OK;
    }

    private static void write(JsonGenerator json, AccessRules rules) throws IOException {
      json.writeArrayFieldStart("names");
      for (AccessRules.Name name : rules.names()) {
        json.writeStartObject();
        json.writeStringField("name", name.name());
        json.writeNumberField("tokens", name.tokens());
        json.writeNumberField("certificates", name.certificates());
        if (name.untilEpochNanos() != Long.MAX_VALUE) {
          json.writeStringField("expires", Json.time(name.untilEpochNanos()));
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("rules");
      for (AccessRules.Rule rule : rules.rules()) {
        json.writeStartObject();
        json.writeNumberField("lineNumber", rule.line());
        write(json, sorted(rule.rights()));
        json.writeStringField("path", rule.path().toString());
        json.writeArrayFieldStart("who");
        for (String who : rule.who()) {
          json.writeString(who);
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  /** {@code upcall access check}. */
  @Command(
      name = "check",
      description = {
        "Say what a caller may do with a path, whether or not there is anything.",
        "Links are not followed: the rules hold for each place to which they lead, too.",
      })
  public static final class Check extends RulesCommand {
    @Parameters(index = "1", paramLabel = "PATH", description = "A path of the store.")
    String path = "/";

    @Parameters(
        index = "2",
        paramLabel = "WHO",
        description = "The name of a caller; anyone for one without a login.")
    String who = "";

    public Check(Shell shell) {
      super(shell);
    }

    @Override
    public Integer call() throws IOException {
      StorePath asked = StorePaths.parse(path);
      AccessRules rules = rules();
      Caller caller =
          rules
              .caller(who)
              .orElseThrow(
                  () ->
                      CommandFailure.usage(
                          rules.isGroup(who)
                              ? who + " is a group: name one of its members"
                              : "no token and no certificate has the name " + who));
      List<Right> may =
          Arrays.stream(Right.values())
              .filter(right -> rules.decide(caller, right, asked))
              .toList();
      if (output.json) {
        JsonDocument.write(
            shell.out(),
            json -> {
              json.writeStringField("path", asked.toString());
              json.writeStringField("who", who);
              write(json, may);
            });
      } else {
        shell.out().println(may.isEmpty() ? "nothing" : text(may));
      }
      return ExitCode.OK;
    }
  }
}
