package recipes;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A store as a bean of Spring Boot. */
public final class SpringProgram {
  private SpringProgram() {}

  // begin
  /** The store is opened with the context and closed with it, behind all that use it. */
  @Configuration(proxyBeanMethods = false)
  static class Beans {
    @Bean // an AutoCloseable bean is closed by the context
    Upcall store(@Value("${upcall.volume}") Path volume) {
      return Upcall.openOrCreate(volume, UpcallConfig.DEFAULT);
    }

    @Bean
    CommandLineRunner greeting(Upcall store) {
      return arguments -> store.writeString("/greeting", "Hello from Spring");
    }
  }

  // end

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    SpringApplication program = new SpringApplication(Beans.class);
    program.setBannerMode(Banner.Mode.OFF);
    program.setLogStartupInfo(false);
    program.setDefaultProperties(Map.of("upcall.volume", args[0]));
    try (ConfigurableApplicationContext context = program.run()) {
      Upcall store = context.getBean(Upcall.class);
      System.out.println(store.readString("/greeting"));
    }
    try (Upcall again = Upcall.open(Path.of(args[0]), UpcallConfig.DEFAULT)) {
      System.out.println("closed, and opened again: " + again.exists("/greeting"));
    }
  }
}
