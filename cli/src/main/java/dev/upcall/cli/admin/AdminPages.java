package dev.upcall.cli.admin;

import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.feed.FeedMetrics;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.ResponseGenerator;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.io.volume.HelperThread;
import dev.upcall.journal.recording.RecordingCounts;
import dev.upcall.locks.LockWait;
import dev.upcall.metrics.MeterSection;
import dev.upcall.metrics.MetricsSnapshot;
import dev.upcall.metrics.MetricsText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the admin port answers: {@code /metrics}, {@code /healthz} and {@code /readyz}. Nothing of
 * the store's files can be reached here. Dispatcher's thread only; the text of the metrics is made
 * on a helper thread from a snapshot that one upcall takes.
 */
public final class AdminPages implements ResponseGenerator {
  private static final int MAX_CONNECTIONS = 64;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String INDEX =
      """
      /metrics   all counters, for Prometheus
      /healthz   200 while the store's thread runs
      /readyz    200 while the store takes changes and is not about to stop, else 503 and why not
      """;

  private final FileManager files;
  private final HttpSource http;
  private final UnaryOperator<MetricsSnapshot> rest;
  private final Dispatcher dispatcher;
  private final Function<MetricsSnapshot, byte[]> text;
  private final BooleanSupplier stopping;
  private final List<CompletionPort<GeneratedResponse>> waiting = new ArrayList<>();

  /**
   * The pages of a store.
   *
   * @param http the counts of its server, or nulls; asked on the dispatcher's thread
   */
  public AdminPages(FileManager files, Supplier<@Nullable HttpMetrics> http) {
    this(files, http, () -> null, () -> null, () -> false);
  }

  /**
   * The same of a server that will stop, and of a store that may be recorded and have a queue.
   *
   * @param recording the counts of its recording, or nulls
   * @param queue the feed of its queue, or nulls; asked on the dispatcher's thread
   * @param stopping whether it was asked to; on the dispatcher's thread
   */
  public AdminPages(
      FileManager files,
      Supplier<@Nullable HttpMetrics> http,
      Supplier<@Nullable RecordingCounts> recording,
      Supplier<@Nullable FeedMetrics> queue,
      BooleanSupplier stopping) {
    this(files, HttpSource.of(http), recording, queue, stopping);
  }

  /** The same where others than the store's thread may have to be asked for the server's counts. */
  public AdminPages(
      FileManager files,
      HttpSource http,
      Supplier<@Nullable RecordingCounts> recording,
      Supplier<@Nullable FeedMetrics> queue,
      BooleanSupplier stopping) {
    this(
        files,
        formatOf(files),
        http,
        snapshot ->
            with(
                with(snapshot, recording.get(), RecordingMeters::new),
                queue.get(),
                QueueMeters::new),
        stopping);
  }

  /** The pages of a store that threads serve, with how much they have waited for locks. */
  public static AdminPages ofThreads(
      FileManager files,
      Supplier<HttpMetrics> http,
      Supplier<List<LockWait>> lockWaits,
      BooleanSupplier stopping) {
    HttpSource counts = then -> then.accept(http.get());
    return new AdminPages(
        files,
        formatOf(files),
        counts.carriedBy(SocketKind.THREADS),
        snapshot -> snapshot.with(new LockMeters(lockWaits.get())),
        stopping);
  }

  private static Function<MetricsSnapshot, byte[]> formatOf(FileManager files) {
    return new MetricsText(files.dispatcher().clock())::format;
  }

  /** Pages with another way of writing metrics down. */
  AdminPages(
      FileManager files,
      Supplier<@Nullable HttpMetrics> http,
      Function<MetricsSnapshot, byte[]> text) {
    this(files, text, HttpSource.of(http), snapshot -> snapshot, () -> false);
  }

  private AdminPages(
      FileManager files,
      Function<MetricsSnapshot, byte[]> text,
      HttpSource http,
      UnaryOperator<MetricsSnapshot> rest,
      BooleanSupplier stopping) {
    this.files = files;
    this.http = http;
    this.rest = rest;
    this.dispatcher = files.dispatcher();
    this.text = text;
    this.stopping = stopping;
  }

  /** The limits of an admin port: those of any server, with few connections. */
  public static HttpConfig limits() {
    return HttpConfig.defaults().withMaxConnections(MAX_CONNECTIONS);
  }

  @Override
  public void answer(StorePath path, CompletionPort<GeneratedResponse> port) {
    switch (path.toString()) {
      case "/metrics" -> metrics(port);
      case "/healthz" -> done(port, Health.live());
      case "/readyz" ->
          done(port, Health.ready(files.store().info(), http.sockets(), stopping.getAsBoolean()));
      case "/" -> done(port, index(""));
      default ->
          dispatcher.complete(
              port,
              Completion.failed(new Failure.NotFound("a page " + path + " of the admin port")));
    }
  }

  /** What carries the sockets of the server of the files; empty where nobody has said so. */
  Optional<SocketKind> sockets() {
    return http.sockets();
  }

  /** What pages there are, with lines about more of them. */
  static GeneratedResponse index(String more) {
    return new GeneratedResponse(Status.OK, TEXT, (INDEX + more).getBytes(StandardCharsets.UTF_8));
  }

  private void done(CompletionPort<GeneratedResponse> port, GeneratedResponse page) {
    dispatcher.complete(port, Completion.done(page));
  }

  /** Who asks while a text is being made gets the same; so there is one helper thread at most. */
  private void metrics(CompletionPort<GeneratedResponse> port) {
    waiting.add(port);
    if (waiting.size() == 1) {
      http.ask(
          counts -> {
            MetricsSnapshot store = MetricsSnapshot.of(files);
            MetricsSnapshot both = with(store, counts, HttpMeters::new);
            format(rest.apply(with(both, http.sockets().orElse(null), SocketMeters::new)));
          });
    }
  }

  /** With what somebody has counted, if there is somebody. */
  static <T> MetricsSnapshot with(
      MetricsSnapshot snapshot, @Nullable T counts, Function<T, MeterSection> meters) {
    return counts == null ? snapshot : snapshot.with(meters.apply(counts));
  }

  private void format(MetricsSnapshot snapshot) {
    HelperThread.<byte[]>run(
        dispatcher,
        "the text of the metrics",
        () -> Completion.done(text.apply(snapshot)),
        this::formatted);
  }

  private void formatted(Completion<byte[]> completion) {
    Completion<GeneratedResponse> page =
        switch (completion) {
          case Completion.Done<byte[]>(byte[] bytes) ->
              Completion.done(new GeneratedResponse(Status.OK, MetricsText.MEDIA_TYPE, bytes));
          case Completion.Failed<byte[]> failed -> failed.cast();
        };
    List<CompletionPort<GeneratedResponse>> told = List.copyOf(waiting);
    waiting.clear();
    told.forEach(port -> port.complete(page));
  }
}
