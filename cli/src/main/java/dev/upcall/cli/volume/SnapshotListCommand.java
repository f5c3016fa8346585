package dev.upcall.cli.volume;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.Upcall;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreCommand;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code upcall snapshot list}. */
@Command(
    name = "list",
    description = {
      "List the snapshots, oldest first: when each was made, what would come back if it alone were"
          + " dropped, its name; at the end what would come back if all were.",
    })
public final class SnapshotListCommand extends StoreCommand.Looking {
  public SnapshotListCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    NamedSnapshotList list = store.fsm().snapshots();
    if (output.json) {
      Json.object(shell.out(), opening(), json -> write(json, list));
      return ExitCode.OK;
    }
    for (NamedSnapshot snapshot : list.snapshots()) {
      shell
          .out()
          .printf(
              Locale.ROOT,
              "%s %14d  %s%n",
              Json.time(snapshot.createdNanos()).substring(0, 19).replace('T', ' '),
              snapshot.exclusiveBytes(),
              Printable.of(snapshot.name()));
    }
    if (!list.snapshots().isEmpty()) {
      shell.out().printf(Locale.ROOT, "%-19s %14d  all%n", "", list.heldBytes());
    }
    return ExitCode.OK;
  }

  /** The fields of all snapshots. */
  static void write(JsonGenerator json, NamedSnapshotList list) throws IOException {
    json.writeArrayFieldStart("snapshots");
    for (NamedSnapshot snapshot : list.snapshots()) {
      json.writeStartObject();
      write(json, snapshot);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("heldBytes", list.heldBytes());
  }

  /** The fields of one snapshot. */
  static void write(JsonGenerator json, NamedSnapshot snapshot) throws IOException {
    json.writeStringField("name", snapshot.name());
    json.writeNumberField("scn", snapshot.scn());
    json.writeStringField("created", Json.time(snapshot.createdNanos()));
    json.writeNumberField("exclusiveBytes", snapshot.exclusiveBytes());
  }
}
