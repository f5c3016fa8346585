package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.UpcallReads;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.posix.ModeText;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ReadingCommand;
import dev.upcall.content.EditPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall stat}. */
@Command(name = "stat", description = "Show what is known about paths of the store.")
public final class StatCommand extends ReadingCommand {
  @Parameters(arity = "1..*", paramLabel = "/path", description = "The paths.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-L", "--follow"},
      description = "Of a symbolic link, what it leads to.")
  boolean follow;

  public StatCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int read(UpcallReads store) throws IOException {
    Operands operands = Operands.ofPaths(paths, shell::say, shell.stop()::isAsked);
    List<JsonDocument.Fields> all = new ArrayList<>();
    operands.each(
        path -> {
          FileInfo info = store.stat(path, follow ? LinkPolicy.FOLLOW : LinkPolicy.NO_FOLLOW);
          String target = info.isSymbolicLink() ? store.readLink(path) : null;
          if (output.json) {
            all.add(json -> Json.info(json, path, info, target));
          } else {
            print(path, info, target);
          }
        });
    if (output.json) {
      Json.object(shell.out(), opening(), json -> operands.write(json, "entries", all));
    }
    return operands.exitCode(ExitCode.OK);
  }

  private void print(String at, FileInfo info, @Nullable String target) {
    PrintStream out = shell.out();
    out.println("path:       " + Printable.of(at));
    out.println("kind:       " + info.kindName());
    if (target != null) {
      out.println("target:     " + Printable.of(target));
    }
    out.println("size:       " + info.sizeBytes());
    if (info.isFile()) {
      out.println("stored:     " + info.stored().bytes());
      out.println("pieces:     " + info.stored().pieces());
    }
    if (!info.editPolicy().equals(EditPolicy.NONE)) {
      out.println("edits:      " + info.editPolicy().text());
    }
    info.compression().ifPresent(degree -> out.println("compression: " + degree.text()));
    info.dedup().ifPresent(dedup -> out.println("dedup:      " + dedup.text()));
    out.printf(Locale.ROOT, "mode:       %04o (%s)%n", info.mode(), ModeText.of(info));
    out.println("owner:      " + (info.owner() & 0xFFFF_FFFFL) + ":" + (info.owner() >>> 32));
    out.println("modified:   " + Json.time(info.times().modifiedNanos()));
    out.println("changed:    " + Json.time(info.times().changedNanos()));
    out.println("created:    " + Json.time(info.times().createdNanos()));
    if (info.times().hasExpiry()) {
      out.println("expires:    " + Json.time(info.times().expiresNanos()));
    }
    out.println("id:         " + info.id());
    out.println("links:      " + info.links());
    out.println("version:    " + info.version());
    out.println("tag:        " + info.entityTag());
    if (info.isFile()) {
      out.println("type:       " + info.mediaType());
    }
    info.attributes()
        .forEach(
            (name, value) ->
                out.println("attribute:  " + Printable.of(name) + ", " + value.length + " bytes"));
  }
}
