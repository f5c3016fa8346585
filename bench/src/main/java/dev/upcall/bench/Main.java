package dev.upcall.bench;

import dev.upcall.bench.blocks.HalfHourExperiment;
import dev.upcall.bench.blocks.IoPoliciesExperiment;
import dev.upcall.bench.ecommerce.volume.VolumeExperiment;
import dev.upcall.bench.edits.EditsAgeingExperiment;
import dev.upcall.bench.edits.EditsExperiment;
import dev.upcall.bench.experiment.AgeingExperiment;
import dev.upcall.bench.experiment.BlocktraceExperiment;
import dev.upcall.bench.experiment.CallsExperiment;
import dev.upcall.bench.experiment.CarriersExperiment;
import dev.upcall.bench.experiment.CheckpointExperiment;
import dev.upcall.bench.experiment.CompositionsExperiment;
import dev.upcall.bench.experiment.ConnectionsExperiment;
import dev.upcall.bench.experiment.DurableExperiment;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.experiment.FailoverExperiment;
import dev.upcall.bench.experiment.HttpExperiment;
import dev.upcall.bench.experiment.HttpThreadsExperiment;
import dev.upcall.bench.experiment.IdleExperiment;
import dev.upcall.bench.experiment.NetworkExperiment;
import dev.upcall.bench.experiment.ProviderExperiment;
import dev.upcall.bench.experiment.QueueExperiment;
import dev.upcall.bench.experiment.ReadsExperiment;
import dev.upcall.bench.experiment.RecorderExperiment;
import dev.upcall.bench.experiment.RecoveryExperiment;
import dev.upcall.bench.experiment.SequentialExperiment;
import dev.upcall.bench.experiment.TailsExperiment;
import dev.upcall.bench.experiment.TransferExperiment;
import dev.upcall.bench.experiment.WarmupExperiment;
import dev.upcall.bench.fsm.CyclesExperiment;
import dev.upcall.bench.start.FirstWriteExperiment;
import dev.upcall.bench.table.TablesExperiment;
import dev.upcall.bench.tpcc.TpccExperiment;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * The {@code upcall bench} command: experiments against peers, each a subcommand, and JMH's own
 * command line over the benchmarks of single steps.
 */
@Command(
    name = "upcall bench",
    description = {
      "Measure this machine: the store and its server against nginx, fio and the plain file"
          + " system.",
      "Peers are the Debian packages nginx, fio and wrk; what is missing is left out and said.",
    },
    synopsisSubcommandLabel = "EXPERIMENT",
    mixinStandardHelpOptions = true)
public final class Main {
  /** What shells say of a command that Ctrl-C ended. */
  static final int STOPPED = 130;

  private Main() {}

  /** Runs the command and ends the process: 0 done, 1 something broke, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(unlessUnwritten(commandLine().execute(args)));
  }

  /** A command whose results cannot be written has failed, whatever it has done. */
  private static int unlessUnwritten(int code) {
    if (!System.out.checkError()) {
      return code;
    }
    System.err.println("upcall bench: cannot write to standard output");
    return code == CommandLine.ExitCode.OK ? CommandLine.ExitCode.SOFTWARE : code;
  }

  /** The command line, which a test can give its own writers. */
  static CommandLine commandLine() {
    List<Described> experiments =
        List.of(
            new Described(new HttpExperiment(), "Warm GETs over HTTP, against nginx."),
            new Described(
                new ConnectionsExperiment(),
                "Warm GETs over one connection to five thousand, against nginx."),
            new Described(
                new HttpThreadsExperiment(),
                "What a request costs with one thread and with two, beside nginx."),
            new Described(
                new NetworkExperiment(),
                "Warm GETs over TLS, with rules and a log, and without io_uring, against nginx."),
            new Described(new ReadsExperiment(), "Cold random 4 KiB reads, against fio."),
            new Described(
                new DurableExperiment(),
                "Durable creation of small files, against the file system and fio."),
            new Described(
                new TailsExperiment(),
                "The slowest of durable creates, from the first one on, against fio."),
            new Described(
                new CallsExperiment(),
                "Durable creates by a thread that waits, against a plain file and fsync."),
            new Described(
                new FirstWriteExperiment(),
                "From the start of a JVM to its first durable write, against other stores."),
            new Described(
                new ProviderExperiment(),
                "Paths of a store against those of the default file system, by the same code."),
            new Described(
                new EditsExperiment(),
                "Durable edits in the middle of files, against other ways to do the same."),
            new Described(
                new QueueExperiment(),
                "Creation of small files through the queue of requests, against direct calls."),
            new Described(
                new SequentialExperiment(), "One large file from begin to end, against fio."),
            new Described(
                new TransferExperiment(), "Import and export of small files, against cp and sync."),
            new Described(
                new RecoveryExperiment(),
                "How long a store takes to open after SIGKILL, by its number of files."),
            new Described(
                new FailoverExperiment(),
                "How long nobody answers after SIGKILL, with a standby that waits."),
            new Described(
                new CheckpointExperiment(), "Latency of reads while a checkpoint is written."),
            new Described(
                new CompositionsExperiment(),
                "Small reads on the store's thread, beside it, and from many threads."),
            new Described(
                new CyclesExperiment(),
                "Warm reads, 50 in flight, by state machines and by threads, on one core and two."),
            new Described(
                new CarriersExperiment(),
                "Virtual threads that wait for a file, and their carriers."),
            new Described(new IdleExperiment(), "What 10,000 idle connections cost."),
            new Described(
                new RecorderExperiment(),
                "What the flight recorder costs, in memory and in files."),
            new Described(
                new BlocktraceExperiment(), "What a block trace to a file costs, warm and cold."),
            new Described(
                new IoPoliciesExperiment(),
                "I/O schedulers on this device, ours and (set, and put back) the kernel's."),
            new Described(
                new HalfHourExperiment(), "What half an hour of TPC-C costs in virtual time."),
            new Described(
                new WarmupExperiment(),
                "The first 10 s of a server that has just been started, against a warm one."));
    CommandLine line = new CommandLine(new Main());
    for (Described one : experiments) {
      add(line, one.experiment().name(), one.description(), List.of(one.experiment()));
    }
    add(
        line,
        "all",
        "All experiments, one after the other.",
        experiments.stream().map(Described::experiment).toList());
    AgeingExperiment ageing = new AgeingExperiment();
    add(
        line,
        ageing.name(),
        "The longest puts of a store that is nearly full and used for long, against plain files.",
        List.of(ageing));
    EditsAgeingExperiment edits = new EditsAgeingExperiment();
    add(
        line,
        edits.name(),
        "What is left of the rate of durable inserts into 64 files when they go on for long.",
        List.of(edits));
    TablesExperiment tables = new TablesExperiment();
    add(
        line,
        tables.name(),
        "Tables against other stores of entries, and names in a tree and hashed.",
        List.of(tables));
    TpccExperiment tpcc = new TpccExperiment();
    add(
        line,
        tpcc.name(),
        "Transactions a minute of TPC-C's program on tables, against SQLite and MVStore.",
        List.of(tpcc));
    VolumeExperiment volume = new VolumeExperiment();
    add(
        line,
        volume.name(),
        "TPC-W, RUBiS and TPC-C over files of a volume on this device, cold and warm.",
        List.of(volume));
    line.addSubcommand(new FsmReportCommand());
    line.addSubcommand(new LargeObjectsCommand());
    line.addSubcommand(new EcommerceCommand());
    line.addSubcommand(new ProxyLayoutsCommand());
    line.addSubcommand(new SecureFilesCommand());
    line.addSubcommand(new StagesCommand());
    line.addSubcommand(new TimelineCommand());
    line.addSubcommand(new MicroCommand());
    // JMH's own options are no options of ours.
    line.addSubcommand(new CommandLine(new Jmh()).setUnmatchedOptionsArePositionalParams(true));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(Main::report);
    return line;
  }

  private record Described(Experiment experiment, String description) {}

  private static void add(
      CommandLine line, String name, String description, List<Experiment> experiments) {
    CommandLine command = new CommandLine(new MeasureCommand(experiments));
    command.getCommandSpec().usageMessage().description(description);
    line.addSubcommand(name, command);
  }

  private static int report(Exception e, CommandLine line, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(e instanceof IOException)) {
      throw e;
    }
    line.getErr().println("upcall bench: " + e.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Hands its arguments to JMH. */
  @Command(
      name = "jmh",
      description = "Benchmarks of single steps (JMH's own options; -l lists them).")
  static final class Jmh implements java.util.concurrent.Callable<Integer> {
    @Parameters(arity = "0..*", description = "names or patterns, and JMH's options")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException {
      org.openjdk.jmh.Main.main(
          arguments.stream()
              .map(word -> word.equals("--help") ? "-h" : word)
              .toArray(String[]::new));
      return CommandLine.ExitCode.OK;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "jmh %s", arguments);
    }
  }
}
