package dev.upcall.httpd.server;

import dev.upcall.io.volume.NettyReactor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Answers many connections at once, and prints how many completions that took. */
final class ManyAnswers {
  /** Two buffers each: together more than an array of 1,024 addresses takes. */
  static final int CONNECTIONS = 700;

  private static final long LOOK_NANOS = 10_000_000;

  private final NettyReactor reactor = NettyReactor.create();
  private final List<Channel> accepted = new ArrayList<>();
  private int completions;

  public static void main(String[] args) throws IOException {
    System.out.println(new ManyAnswers().run());
  }

  private int run() throws IOException {
    ChannelFuture listening =
        new ServerBootstrap()
            .group(reactor.eventLoop())
            .channel(reactor.serverChannelClass())
            .option(ChannelOption.SO_BACKLOG, CONNECTIONS)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted.add(channel);
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    turnUntil(listening::isSuccess);
    List<Socket> clients = new ArrayList<>();
    int port = ((InetSocketAddress) listening.channel().localAddress()).getPort();
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
      int connected = clients.size();
      turnUntil(() -> accepted.size() == connected);
    }
    completions = 0;
    List<ChannelFuture> answers = new ArrayList<>();
    for (Channel channel : accepted) {
      channel.write(Unpooled.directBuffer().writeByte(1), channel.voidPromise());
      answers.add(channel.writeAndFlush(Unpooled.directBuffer().writeByte(2)));
    }
    turnUntil(() -> answers.stream().allMatch(ChannelFuture::isSuccess));
    int taken = completions;
    for (Socket client : clients) {
      client.close();
    }
    accepted.forEach(Channel::close);
    ChannelFuture closed = listening.channel().close();
    turnUntil(() -> closed.isDone() && accepted.stream().noneMatch(Channel::isOpen));
    reactor.close();
    return taken;
  }

  private void turnUntil(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      reactor.await(LOOK_NANOS);
      completions += reactor.reap(Integer.MAX_VALUE);
    }
  }
}
