package dev.upcall.cli.transfer;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.shell.Shell;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.util.Locale;

/** What a transfer did, for people and for programs. */
final class TransferReport {
  private static final int SHOWN = 20;

  private TransferReport() {}

  /** Says it on standard error. */
  static void say(Shell shell, String verb, TreeSummary summary, double seconds) {
    if (!summary.keptChanged().isEmpty()) {
      shell.say(
          summary.keptChanged().size()
              + " changed in the store and not in the source since the last import, left alone: "
              + summary.keptChanged().getFirst()
              + (summary.keptChanged().size() > 1 ? ", ..." : ""));
    }
    summary.excluded().stream()
        .limit(SHOWN)
        .forEach(
            path ->
                shell.say("left out, since it belongs to the store itself: " + Printable.of(path)));
    sayNotKept(shell, summary.notKept());
    summary.problems().stream()
        .limit(SHOWN)
        .forEach(problem -> shell.say("not kept: " + problem.path() + ": " + problem.reason()));
    if (summary.problemCount() > SHOWN) {
      shell.say("not kept: " + (summary.problemCount() - SHOWN) + " more (--json lists them)");
    }
    shell.say(
        String.format(
            Locale.ROOT,
            "%s %s: %d files, %d links, %d directories, %d unchanged, %d removed, %d not kept;"
                + " %d bytes in %.1f s, %.1f MB/s",
            verb,
            isStopped(summary) ? "stopped (run it again to go on)" : "done",
            summary.files(),
            summary.links(),
            summary.directories(),
            summary.unchanged(),
            summary.removed(),
            summary.problemCount(),
            summary.bytes(),
            seconds,
            summary.bytes() / 1e6 / Math.max(seconds, 1e-3)));
  }

  private static void sayNotKept(Shell shell, TreeSummary.NotKept lost) {
    if (lost.hardLinks() > 0) {
      shell.say(
          lost.hardLinks() + " names of files with several (hard links) became files of their own");
    }
    if (lost.attributes() > 0) {
      shell.say(lost.attributes() + " attributes of files are not kept");
    }
  }

  /** Fields of the caller's object. */
  static void write(JsonGenerator json, TreeSummary summary, double seconds) throws IOException {
    json.writeNumberField("files", summary.files());
    json.writeNumberField("links", summary.links());
    json.writeNumberField("directories", summary.directories());
    json.writeNumberField("bytes", summary.bytes());
    json.writeNumberField("unchanged", summary.unchanged());
    json.writeNumberField("removed", summary.removed());
    json.writeNumberField("seconds", seconds);
    json.writeNumberField("hardLinksNotKept", summary.notKept().hardLinks());
    json.writeNumberField("attributesNotKept", summary.notKept().attributes());
    json.writeBooleanField("stopped", isStopped(summary));
    json.writeArrayFieldStart("keptChanged");
    for (String path : summary.keptChanged()) {
      json.writeString(path);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("excluded");
    for (String path : summary.excluded()) {
      json.writeString(path);
    }
    json.writeEndArray();
    json.writeNumberField("problemCount", summary.problemCount());
    Json.problems(json, summary.problems());
  }

  /** The exit code that a transfer deserves. */
  static int exitCode(TreeSummary summary) {
    if (isStopped(summary)) {
      return ExitCode.FAILED;
    }
    return summary.problemCount() > 0 ? ExitCode.PARTLY : ExitCode.OK;
  }

  private static boolean isStopped(TreeSummary summary) {
    return summary.end() != TreeSummary.End.COMPLETE;
  }
}
