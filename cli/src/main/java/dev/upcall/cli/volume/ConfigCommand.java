package dev.upcall.cli.volume;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.admin.AdminPages;
import dev.upcall.cli.option.BusyTimeoutOption;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.MemoryChoice;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.ReadOnlyOption;
import dev.upcall.cli.option.RecordsKeptOption;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.OwnerCall;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.fileman.blocking.LimitList;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.store.Limit;
import dev.upcall.store.StoreInfo;
import dev.upcall.txn.StoreConfig;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code upcall config}. */
@Command(
    name = "config",
    description = {
      "Show every limit, its value and where the value comes from.",
      "Of a store that is open in another process which takes commands: those that it has there."
    })
public final class ConfigCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  @Mixin EngineOption engine = new EngineOption();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();
  @Mixin ReadOnlyOption readOnly = new ReadOnlyOption();
  @Mixin BusyTimeoutOption busy = new BusyTimeoutOption();
  @Mixin RecordsKeptOption kept = new RecordsKeptOption();

  @Option(
      names = "--limits",
      description =
          "Only what may be asked of a store: each limit, what happens beyond, its meaning.")
  boolean onlyLimits;

  private final Shell shell;

  /** One limit. */
  private record Line(String name, Object value, String source) {}

  public ConfigCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    LentStore lent = shell.lent();
    if (lent != null) {
      UpcallConfig config = lent.store().config();
      StoreInfo real = lent.store().info();
      UpcallConfig shown = config.withCapBytes(real.capBytes()).withDisk(real.disk());
      return show(ofOwner(lines(shown)), lent.store().limits());
    }
    Path volume = access.findIfAny(shell);
    OptionalInt answered = volume == null ? OptionalInt.empty() : OwnerCall.tryMake(volume, shell);
    if (answered.isPresent()) {
      return answered.getAsInt();
    }
    UpcallConfig config =
        kept.in(busy.in(readOnly.in(volumeSize.in(engine.in(tuning.config(shell::resolve))))));
    return show(lines(config), limits(config));
  }

  /** What is the store's, as its owner opened it; how that serves HTTP is not known here. */
  private static List<Line> ofOwner(List<Line> lines) {
    return lines.stream()
        .filter(line -> !line.name().startsWith("http.") && !line.name().startsWith("admin."))
        .map(
            line ->
                line.source().equals("fixed")
                    ? line
                    : new Line(line.name(), line.value(), "the process that has the store open"))
        .toList();
  }

  private int show(List<Line> lines, List<Limit> limits) throws IOException {
    Map<String, Limit> known =
        limits.stream().collect(Collectors.toMap(Limit::name, Function.identity()));
    List<Line> shown = onlyLimits ? ofLimits(lines, limits) : lines;
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeArrayFieldStart("limits");
            for (Line line : shown) {
              write(json, line, known.get(line.name()));
            }
            json.writeEndArray();
          });
    } else {
      shown.forEach(line -> print(line, known.get(line.name())));
    }
    return ExitCode.OK;
  }

  /** The lines of what may be asked of a store, in the order of its list. */
  private static List<Line> ofLimits(List<Line> lines, List<Limit> limits) {
    return limits.stream()
        .flatMap(
            limit ->
                lines.stream()
                    .filter(line -> line.name().equals(limit.name()))
                    .map(line -> new Line(limit.name(), limit.value(), line.source())))
        .toList();
  }

  private void write(JsonGenerator json, Line line, @Nullable Limit limit) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", line.name());
    if (line.value() instanceof Number number) {
      json.writeNumberField("value", number.longValue());
    } else {
      json.writeStringField("value", String.valueOf(line.value()));
    }
    json.writeStringField("source", line.source());
    if (onlyLimits && limit != null) {
      json.writeNumberField("usual", limit.usual());
      json.writeStringField("unit", limit.unit().name().toLowerCase(Locale.ROOT));
      json.writeStringField("beyond", limit.beyond().words().replace("`", ""));
      json.writeStringField("meaning", limit.meaning().replace("`", ""));
    }
    json.writeEndObject();
  }

  private void print(Line line, @Nullable Limit limit) {
    String rest =
        onlyLimits && limit != null
            ? "%-22s %s".formatted(limit.beyond().words(), limit.meaning()).replace("`", "")
            : line.source();
    shell.out().printf(Locale.ROOT, "%-44s %16s   %s%n", line.name(), line.value(), rest);
  }

  private List<Line> lines(UpcallConfig config) {
    List<Line> lines = new ArrayList<>();
    String machine =
        "an eighth of the %s of the machine or its control group, at most %s of the Java heap and %s outside it"
            .formatted(
                Sizes.show(MemoryChoice.machineBytes()),
                Sizes.show(UpcallConfig.heapLimitBytes()),
                Sizes.show(UpcallConfig.directLimitBytes()));
    lines.add(
        new Line(
            "memoryBytes",
            config.memoryBytes(),
            tuning.memory == null ? "default: " + machine : "--memory"));
    lines.add(
        new Line(
            "capBytes",
            config.capBytes(),
            volumeSize.volumeSize == null
                ? "default: as the store was made (0); "
                    + Sizes.show(UpcallConfig.DEFAULT_CAP_BYTES)
                    + " when new"
                : "--volume-size"));
    lines.add(
        new Line(
            "disk",
            config.drive().disk().name().toLowerCase(Locale.ROOT),
            tuning.disk.equals("auto") ? "default" : "--disk"));
    lines.add(
        new Line(
            "engine",
            config.engine().name().toLowerCase(Locale.ROOT),
            engine.engine.equals("fsm") ? "default" : "--engine"));
    lines.add(
        new Line(
            "diskThreads",
            config.drive().diskThreads(),
            "default; where a pool of them is the disk"));
    lines.add(
        new Line(
            "commitPollNanos",
            config.drive().commitPollNanos(),
            "default; before a wait for the log, where a ring is the disk"));
    lines.add(
        new Line("readOnly", config.readOnly(), readOnly.readOnly ? "--read-only" : "default"));
    flatten("files", config.limits().files(), "default", lines);
    for (Limit limit : limits(config)) {
      if (lines.stream().noneMatch(line -> line.name().equals(limit.name()))) {
        lines.add(new Line(limit.name(), limit.value(), limit.isFixed() ? "fixed" : "default"));
      }
    }
    StoreConfig store =
        StoreConfig.ofMemory(config.memoryBytes())
            .withPlaces(config.limits().places())
            .withContent(config.limits().content());
    List<Line> ofStore = new ArrayList<>();
    flatten("store", store, "from memoryBytes", ofStore);
    // What callers may ask has names of its own.
    ofStore.removeIf(
        one -> lines.stream().anyMatch(line -> one.name().equals("store." + line.name())));
    lines.addAll(ofStore);
    int recordsKept = config.drive().recordsKept();
    flatten(
        "dispatcher", DispatcherConfig.defaults().withRecordsKept(recordsKept), "default", lines);
    HttpConfig usual = HttpConfig.defaults();
    HttpConfig http =
        usual.withAdmission(busy.in(usual.admission())).withinMemory(config.memoryBytes());
    flatten("http", http, "default, within memoryBytes", lines);
    lines.replaceAll(
        line ->
            busy.busyTimeout != null && line.name().endsWith(".waitNanos")
                ? new Line(line.name(), line.value(), BusyTimeoutOption.NAME)
                : line);
    lines.replaceAll(
        line ->
            kept.recordsKept != null && line.name().equals("dispatcher.recordsKept")
                ? new Line(line.name(), line.value(), RecordsKeptOption.NAME)
                : line);
    lines.replaceAll(
        line ->
            tuning.gather != null && line.name().equals("content.gatherBytes")
                ? new Line(line.name(), line.value(), "--gather")
                : line);
    lines.add(new Line("admin.port", "off", "--admin-port of serve"));
    flatten("admin", AdminPages.limits(), "fixed", lines);
    lines.add(new Line("http.sliceBytes", HttpConfig.SLICE_BYTES, "fixed"));
    return lines;
  }

  private static List<Limit> limits(UpcallConfig config) {
    return LimitList.of(
        config, config.capBytes() == 0 ? UpcallConfig.DEFAULT_CAP_BYTES : config.capBytes());
  }

  /** The components of a record and of the records in it. */
  private static void flatten(String prefix, Record limits, String source, List<Line> lines) {
    for (RecordComponent component : limits.getClass().getRecordComponents()) {
      Object value;
      try {
        value = component.getAccessor().invoke(limits);
      } catch (ReflectiveOperationException closed) {
        throw new IllegalStateException("a limit that cannot be read: " + component, closed);
      }
      String name = prefix + "." + component.getName();
      switch (value) {
        case Record nested -> flatten(name, nested, source, lines);
        case Number number -> lines.add(new Line(name, number, source));
        case Boolean flag -> lines.add(new Line(name, flag, source));
        case Enum<?> choice -> lines.add(new Line(name, choice, source));
        case null, default -> {
          // Policies and other collaborators are no limits.
        }
      }
    }
  }
}
