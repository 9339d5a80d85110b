package mesh.simulator.kubernetes;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a test may set on a running simulator; the values hold for calls from then on. */
final class Settings {

  private volatile InstantSource clock = InstantSource.system();
  private volatile String token = "simulated-token";
  private volatile int port = 443;
  private volatile Duration startUp = Duration.ZERO;
  private volatile List<String> execProtocols = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
  private volatile OutOfMemory outOfMemory = OutOfMemory.KILLS_CONTAINER;
  private volatile boolean policyEnforced = true;
  private volatile boolean snapshotsReady = true;
  private volatile boolean snapshotsServed = true;
  private volatile boolean watchLists = true;
  private volatile Map<String, String> node = Map.of("cpu", "64", "memory", "64Gi");
  private final Set<CallKind> refused = ConcurrentHashMap.newKeySet();

  InstantSource clock() {
    return clock;
  }

  void clock(InstantSource value) {
    clock = value;
  }

  String token() {
    return token;
  }

  void token(String value) {
    token = value;
  }

  /** Where pods are told that the API is. */
  int port() {
    return port;
  }

  void port(int value) {
    port = value;
  }

  Duration startUp() {
    return startUp;
  }

  void startUp(Duration value) {
    startUp = value;
  }

  List<String> execProtocols() {
    return execProtocols;
  }

  void execProtocols(List<String> value) {
    execProtocols = List.copyOf(value);
  }

  OutOfMemory outOfMemory() {
    return outOfMemory;
  }

  void outOfMemory(OutOfMemory value) {
    outOfMemory = value;
  }

  boolean policyEnforced() {
    return policyEnforced;
  }

  void policyEnforced(boolean value) {
    policyEnforced = value;
  }

  boolean snapshotsReady() {
    return snapshotsReady;
  }

  void snapshotsReady(boolean value) {
    snapshotsReady = value;
  }

  boolean snapshotsServed() {
    return snapshotsServed;
  }

  void snapshotsServed(boolean value) {
    snapshotsServed = value;
  }

  boolean watchLists() {
    return watchLists;
  }

  void watchLists(boolean value) {
    watchLists = value;
  }

  /** What the one node has of each resource. */
  Map<String, String> node() {
    return node;
  }

  void node(Map<String, String> value) {
    node = Map.copyOf(value);
  }

  boolean refuses(CallKind kind) {
    return refused.contains(kind);
  }

  void refuse(CallKind kind) {
    refused.add(kind);
  }

  void permit(CallKind kind) {
    refused.remove(kind);
  }
}
