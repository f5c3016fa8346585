package dev.upcall.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A page of the manual about one command, in the language of man(7). */
final class ManualPage {
  private static final String EXIT_CODES =
      "0 done, 1 failed, 2 wrong usage, 3 partly done or problems found, 130 ended by Ctrl-C, 143 by"
          + " SIGTERM.";

  private final CommandLine command;
  private final CommandSpec spec;
  private final StringBuilder text = new StringBuilder();

  ManualPage(CommandLine command) {
    this.command = command;
    this.spec = command.getCommandSpec();
  }

  /** As {@code man} looks for it: {@code upcall-snapshot-list.1}. */
  String fileName() {
    return title() + ".1";
  }

  private String title() {
    return spec.qualifiedName("-");
  }

  /** The page. */
  String text() {
    text.setLength(0);
    text.append(
        ".TH \"%s\" 1 \"\" \"upcall\" \"Upcall\"\n".formatted(title().toUpperCase(Locale.ROOT)));
    String[] description = spec.usageMessage().description();
    section("NAME", escaped(title()) + " \\- " + escaped(firstSentence(description)));
    section("SYNOPSIS", escaped(synopsis()));
    text.append(".SH DESCRIPTION\n");
    for (String paragraph : description) {
      text.append(".PP\n").append(escaped(paragraph)).append('\n');
    }
    arguments();
    options();
    commands();
    section("EXIT STATUS", escaped(EXIT_CODES));
    return text.toString();
  }

  private void section(String name, String content) {
    text.append(".SH ").append(name).append('\n').append(content).append('\n');
  }

  private String synopsis() {
    Help plain = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
    return plain.synopsis(0).strip().replaceAll("\\s+", " ");
  }

  private void arguments() {
    List<PositionalParamSpec> shown =
        spec.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    if (!shown.isEmpty()) {
      text.append(".SH ARGUMENTS\n");
      shown.forEach(one -> item(one.paramLabel(), one.description()));
    }
  }

  private void options() {
    List<OptionSpec> shown = spec.options().stream().filter(one -> !one.hidden()).toList();
    if (!shown.isEmpty()) {
      text.append(".SH OPTIONS\n");
    }
    for (OptionSpec option : shown) {
      String names = String.join(", ", option.names());
      boolean valued = option.arity().max() > 0;
      item(valued ? names + " " + option.paramLabel() : names, option.description());
    }
  }

  private void commands() {
    List<CommandLine> below = new ArrayList<>(command.getSubcommands().values());
    if (below.isEmpty()) {
      return;
    }
    text.append(".SH COMMANDS\n");
    for (CommandLine one : below) {
      CommandSpec about = one.getCommandSpec();
      item(
          about.qualifiedName("-") + "(1)",
          new String[] {firstSentence(about.usageMessage().description())});
    }
  }

  private void item(String name, String[] description) {
    text.append(".TP\n.B ").append(escaped(name)).append('\n');
    text.append(escaped(String.join(" ", description))).append('\n');
  }

  private static String firstSentence(String[] description) {
    String all = description.length == 0 ? "" : description[0];
    int end = all.indexOf(". ");
    return end < 0 ? all.replaceFirst("\\.$", "") : all.substring(0, end);
  }

  /** Text that stands for itself: no line of it is a request, and no hyphen is a dash. */
  private static String escaped(String plain) {
    String shown = plain.replace("%n", " ").replace("%%", "%").strip();
    shown = shown.replace("\\", "\\e").replace("-", "\\-");
    return shown.startsWith(".") || shown.startsWith("'") ? "\\&" + shown : shown;
  }
}
