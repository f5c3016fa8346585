package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.damage.DamageLines;
import dev.upcall.cli.failover.Departure;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.AdminOptions;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ContentOptions;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.ListenAddress;
import dev.upcall.cli.option.LogLine;
import dev.upcall.cli.option.MemoryChoice;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.ReadOnlyOption;
import dev.upcall.cli.option.RecordsKeptOption;
import dev.upcall.cli.option.SnapshotOption;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.option.TrafficOptions;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.queue.QueueService;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.shell.StopSignal;
import dev.upcall.cli.store.Opening;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.cli.trace.RecordOptions;
import dev.upcall.cli.transfer.ImportJob;
import dev.upcall.feed.Recording;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.ServerTls;
import dev.upcall.io.NativeAccess;
import dev.upcall.store.OpeningReport;
import dev.upcall.trees.ImportOptions.Gone;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall serve}. */
@Command(
    name = "serve",
    description = {
      "Serve a store over HTTP until Ctrl-C.",
      "With DIR the store is brought up to date first: new and changed files are imported, what was"
          + " imported from DIR and is gone from it is removed. Its store is DIR's name with "
          + StoreAccess.SUFFIX
          + ", here, unless --store or the variable "
          + StoreAccess.VARIABLE
          + " names another.",
    })
public final class ServeCommand implements Callable<Integer> {
  private static final long LOOK_MILLIS = 1000;

  @Mixin OutputOptions output = new OutputOptions();
  @Mixin StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  @Mixin EngineOption engine = new EngineOption();
  @Mixin ContentOptions content = new ContentOptions();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();
  @Mixin ReadOnlyOption readOnly = new ReadOnlyOption();
  @Mixin AdminOptions admin = new AdminOptions();
  @Mixin SnapshotOption moment = new SnapshotOption();
  @Mixin ServingOptions serving = new ServingOptions();
  @Mixin DoorOptions door = new DoorOptions();
  @Mixin TlsOptions tlsOptions = new TlsOptions();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "DIR",
      description = "The directory; without it the store is served as it is.")
  @Nullable Path source;

  @Option(names = "--port", paramLabel = "N", description = "Default: 8080; 0 takes a free one.")
  int port = 8080;

  @Option(
      names = "--bind",
      paramLabel = "ADDR",
      description = "Address to listen on. Default: 127.0.0.1, this machine only.")
  String bind = "127.0.0.1";

  @Option(names = "--into", paramLabel = "/path", description = "Where DIR goes. Default: /")
  String into = "/";

  @Option(
      names = "--create",
      description = "Without DIR: make the store, empty, when there is none.")
  boolean create;

  @Option(names = "--no-import", description = "Serve DIR's store without looking at DIR.")
  boolean noImport;

  @Option(names = "--keep-gone", description = "Remove nothing that is gone from DIR.")
  boolean keepGone;

  @Option(
      names = ImportJob.EMPTY,
      description = "Take an empty DIR as it is: what was imported from it is removed.")
  boolean allowEmpty;

  @Option(
      names = "--no-commands",
      description =
          "Let no other command use the store meanwhile. Default: those of your user and root can"
              + " (ls, put, snapshot, export and so on).")
  boolean noCommands;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Do the requests that are put into the queue of that directory, each once.")
  @Nullable Path queue;

  @Mixin RecordOptions record = new RecordOptions();
  @Mixin RecordsKeptOption kept = new RecordsKeptOption();
  @Mixin TrafficOptions traffic = new TrafficOptions();

  @Option(
      names = "--standby",
      description =
          "Wait until the process that has the store open has ended, then serve it in its place.")
  boolean standby;

  private final Shell shell;
  private final StoreSharing.Commands commands;

  /**
   * The command.
   *
   * @param commands runs those that others ask for meanwhile
   */
  public ServeCommand(Shell shell, StoreSharing.Commands commands) {
    this.shell = shell;
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    try (DoorOptions _ = door) {
      return serve();
    }
  }

  private int serve() throws IOException {
    if (shell.lent() != null) {
      throw CommandFailure.failed("serve needs the store alone");
    }
    InetSocketAddress address = ListenAddress.of(port, bind, ListenAddress.OPTIONS);
    InetSocketAddress adminAddress = admin.address();
    StorePath target = StorePaths.parse(into);
    Path directory = source == null ? null : shell.resolve(source);
    if (directory != null) {
      ImportJob.checkSource(directory);
    }
    Path volume = directory == null ? access.find(shell) : access.findFor(directory, shell);
    shell.stop().listen(serving.drain);
    boolean update = directory != null && !noImport;
    if (readOnly.readOnly && (update || serving.writable)) {
      throw CommandFailure.usage(
          "--read-only serves a store as it is: leave out --writable, and give --no-import with"
              + " DIR");
    }
    if (standby && (readOnly.readOnly || update)) {
      throw CommandFailure.usage(
          "--standby serves a store as its owner has left it: leave out --read-only, and give"
              + " --no-import with DIR");
    }
    if (create && (readOnly.readOnly || standby || moment.name != null)) {
      throw CommandFailure.usage(
          "--create makes a store that is not there: leave out --read-only, --standby and"
              + " --snapshot");
    }
    if (moment.name != null && (update || serving.writable)) {
      throw CommandFailure.usage(
          "--snapshot serves what has been: leave out --writable, and give --no-import with DIR");
    }
    if (moment.name != null && engine.chosen() != Engine.FSM) {
      throw CommandFailure.usage("--snapshot needs --engine=fsm: threads serve the present");
    }
    if (queue != null && (engine.chosen() != Engine.FSM || readOnly.readOnly)) {
      throw CommandFailure.usage("--queue needs --engine=fsm, and no --read-only");
    }
    Path requests = queue == null ? null : shell.resolve(queue);
    QueueService.check(requests);
    serving.check(engine.chosen(), standby);
    door.check(engine.chosen());
    HttpConfig limits = door.in(serving.limits(), shell);
    tlsOptions.check(engine.chosen());
    UpcallConfig config =
        traffic.in(
            kept.in(
                serving.busy.in(
                    readOnly.in(
                        volumeSize.in(content.in(engine.in(tuning.config(shell::resolve))))))),
            shell.directory());
    record.check(config);
    try (ServerTls tls = tlsOptions.load(shell)) {
      Endpoint endpoint = new Endpoint(address, Optional.ofNullable(tls));
      return call(
          new Task(
              volume, update ? directory : null, target, requests, endpoint, adminAddress, limits),
          config);
    }
  }

  private int call(Task task, UpcallConfig config) throws IOException {
    if (standby) {
      try (Standby waiting =
          Standby.of(task.volume(), config, shell, task.endpoint(), task.limits())) {
        if (!waiting.await(() -> WarmUp.run(config, task.requests() != null, shell, commands))) {
          shell.say("stopped; the store was not touched");
          return ExitCode.OK;
        }
        return run(task, config, waiting);
      }
    }
    // Nobody waits for an import to hear that the port is taken.
    WebServer.checkFree(task.endpoint().address(), ListenAddress.OPTIONS);
    if (task.adminAddress() != null) {
      WebServer.checkFree(task.adminAddress(), ListenAddress.ADMIN_OPTIONS);
    }
    return run(task, config, null);
  }

  /**
   * What is to be done.
   *
   * @param source the directory that is imported first, or null
   * @param target where to
   * @param requests the queue, or null
   * @param limits of the server
   */
  private record Task(
      Path volume,
      @Nullable Path source,
      StorePath target,
      @Nullable Path requests,
      Endpoint endpoint,
      @Nullable InetSocketAddress adminAddress,
      HttpConfig limits) {}

  private int run(Task task, UpcallConfig config, @Nullable Standby waiting) throws IOException {
    Path volume = task.volume();
    StoreFiles files =
        StoreFiles.of(volume)
            .with(task.requests())
            .with(record.folder(shell.directory()))
            .with(traffic.file == null ? null : shell.resolve(traffic.file));
    String cut = "";
    try (Upcall store = open(task, config, waiting);
        Recording recording = record.start(store, shell.directory())) {
      shell.say("store " + volume.toAbsolutePath().normalize());
      String excess =
          MemoryChoice.excess(store.config().memoryBytes(), MemoryChoice.machineBytes());
      if (excess != null) {
        shell.say(excess);
      }
      String compilers = NativeAccess.changesOfCompilers();
      if (compilers != null) {
        shell.say(compilers);
      }
      try (StoreSharing.Sharing others =
          noCommands
              ? StoreSharing.Sharing.NONE
              : StoreSharing.share(store, files, shell, commands, serving.drain)) {
        if (!imported(store, task, files)) {
          return ExitCode.FAILED;
        }
        try (QueueService service = QueueService.open(store, task.requests())) {
          WebServer.Beside beside = new WebServer.Beside(recording, service);
          cut = serve(store, task, waiting, beside, others);
        }
      }
    }
    shell.say("stopped; the store is closed" + cut);
    return ExitCode.OK;
  }

  private Upcall open(Task task, UpcallConfig config, @Nullable Standby waiting) {
    if (waiting != null) {
      return waiting.open();
    }
    return new Opening(shell)
        .open(
            () ->
                task.source() == null && !create
                    ? StoreAccess.open(task.volume(), config, shell)
                    : Upcall.openOrCreate(task.volume(), config));
  }

  /** Until the user asks for the end; returns what was cut off by it. */
  private String serve(
      Upcall store,
      Task task,
      @Nullable Standby waiting,
      WebServer.Beside beside,
      StoreSharing.Sharing others)
      throws IOException {
    try (WebServer server =
            bind(
                waiting,
                () ->
                    WebServer.open(
                        store,
                        moment.name,
                        task.endpoint(),
                        task.limits(),
                        waiting == null ? null : waiting.socket()));
        WebServer pages = openAdmin(store, server, beside, task.adminAddress(), waiting)) {
      if (waiting != null) {
        waiting.serves();
      }
      announce(server, pages, task, store.info().opening(), waiting);
      others.reloads(() -> door.reload(task.endpoint().tls(), shell));
      Departure departure = server.departure(store, serving.drain, shell.stop()::ask);
      if (departure != null) {
        others.serves(departure);
      }
      awaitEnd(store, shell.stop(), new DamageLines(shell::say));
      shell.say("stopping; what is under way gets " + serving.drain.toSeconds() + " s");
      String cut = WebServer.cutOff(server.end());
      others.close(); // the admin port answers until the store closes
      return cut;
    }
  }

  private @Nullable WebServer openAdmin(
      Upcall store,
      WebServer server,
      WebServer.Beside beside,
      @Nullable InetSocketAddress wanted,
      @Nullable Standby waiting) {
    return wanted == null
        ? null
        : bind(
            waiting,
            () ->
                WebServer.openAdmin(
                    store, server, beside, wanted, shell.stop()::isAsked, admin.hosts()));
  }

  private static WebServer bind(@Nullable Standby waiting, Supplier<WebServer> binding) {
    return waiting == null ? binding.get() : waiting.bind(binding);
  }

  /**
   * Returns when the end is asked for; fails with the cause once the store's thread has died: then
   * nobody is served any more.
   *
   * @param damage is shown meanwhile what requests find damaged
   */
  static void awaitEnd(Upcall store, StopSignal stop, DamageLines damage) {
    while (!stop.await(LOOK_MILLIS)) {
      damage.look(store.info().damage());
    }
  }

  /** Brings the store up to date; false when the user asked for the end meanwhile. */
  private boolean imported(Upcall store, Task task, StoreFiles files) throws IOException {
    Path directory = task.source();
    if (directory == null) {
      return true;
    }
    Gone gone = keepGone ? Gone.KEEP : Gone.REMOVE;
    ImportJob job = new ImportJob(shell);
    if (gone == Gone.REMOVE && !allowEmpty) {
      ImportJob.checkNotEmptied(store, files, directory, task.target());
    }
    TreeSummary summary = job.run(store, files, directory, task.target(), gone);
    return summary.end() == TreeSummary.End.COMPLETE;
  }

  private void announce(
      WebServer server,
      @Nullable WebServer pages,
      Task task,
      OpeningReport opening,
      @Nullable Standby waiting)
      throws IOException {
    LogLine.prepareWarnings();
    String url = server.url();
    String rights = door.rights(serving.writable);
    shell.say("serving on " + url + rights + "   (Ctrl-C stops)");
    Optional<ServerTls> tls = task.endpoint().tls();
    tls.ifPresent(each -> shell.say(each.describe()));
    door.announce(server.address().getAddress(), tls.isPresent(), shell);
    if (pages != null) {
      String root = pages.url();
      shell.say("admin on " + root + "metrics, " + root + "healthz, " + root + "readyz");
    }
    if (output.json) {
      Json.object(
          shell.out(),
          opening,
          json -> {
            json.writeStringField("url", url);
            json.writeNumberField("port", server.address().getPort());
            if (pages != null) {
              json.writeStringField("adminUrl", pages.url());
              json.writeNumberField("adminPort", pages.address().getPort());
            }
            json.writeStringField("store", task.volume().toAbsolutePath().normalize().toString());
            if (waiting != null) {
              waiting.write(json);
            }
          });
      shell.out().flush();
    }
  }
}
