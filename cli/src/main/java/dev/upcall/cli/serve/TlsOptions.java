package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.shell.Shell;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.server.ServerTls;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Whether clients of a server must talk TLS, and with what certificate it answers. */
final class TlsOptions {
  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Serve https with this certificate, and those behind it in the PEM file; with --tls-key.")
  @Nullable Path certificates;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key, PEM in PKCS #8 form, which only its owner may read.")
  @Nullable Path key;

  @Option(
      names = "--tls-client-ca",
      paramLabel = "FILE",
      description = "Let only clients in that have a certificate of one of these authorities.")
  @Nullable Path clientAuthorities;

  @Option(
      names = "--tls-engine",
      paramLabel = "ENGINE",
      converter = Engines.class,
      description =
          "auto, jdk or boringssl. Default: auto, that is BoringSSL where it works, else the JDK's.")
  TlsConfig.@Nullable Engine engine;

  /** Names in small letters. */
  static final class Engines implements ITypeConverter<TlsConfig.Engine> {
    @Override
    public TlsConfig.Engine convert(String name) {
      for (TlsConfig.Engine one : TlsConfig.Engine.values()) {
        if (one.name().toLowerCase(Locale.ROOT).equals(name)) {
          return one;
        }
      }
      throw new TypeConversionException("'%s' is not auto, jdk or boringssl".formatted(name));
    }
  }

  /** Refuses what contradicts itself, or is nothing for this engine. */
  void check(Engine serving) {
    if ((certificates == null) != (key == null)) {
      throw CommandFailure.usage("--tls-cert and --tls-key are given together");
    }
    if (certificates == null && (clientAuthorities != null || engine != null)) {
      throw CommandFailure.usage(
          "--tls-client-ca and --tls-engine need --tls-cert and --tls-key, the server's own");
    }
    if (certificates != null && serving != Engine.FSM) {
      throw CommandFailure.usage(
          "--tls-cert needs --engine=fsm: the servers of threads speak plain HTTP only");
    }
  }

  /** The certificates of the files, checked; null where plain HTTP is served. */
  @Nullable ServerTls load(Shell shell) {
    if (certificates == null || key == null) {
      return null;
    }
    TlsConfig config =
        TlsConfig.of(shell.resolve(certificates), shell.resolve(key))
            .withEngine(engine == null ? TlsConfig.Engine.AUTO : engine);
    return ServerTls.load(
        clientAuthorities == null
            ? config
            : config.withClientAuthorities(shell.resolve(clientAuthorities)));
  }
}
