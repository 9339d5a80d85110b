#!/bin/sh
# Start to readiness: the plain jar, the extracted one, and with an ahead-of-time class cache. Needs ./mvnw package first and java = 25.
set -eu
cd "$(dirname "$0")/.."
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jar=$PWD/target/mesh-0-SNAPSHOT.jar
work=$(mktemp -d)
port=18347
trap 'rm -rf "$work"' EXIT

# Starts what it is given, prints the seconds until readiness, and stops it.
timed() {
  name=$1
  shift
  start=$(date +%s.%N)
  "$@" --server.port=$port --mesh.data-dir="$work/data" >"$work/log" 2>&1 &
  pid=$!
  until curl -sf "http://127.0.0.1:$port/actuator/health/readiness" >/dev/null; do
    kill -0 $pid 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.02
  done
  end=$(date +%s.%N)
  printf '%-34s %.2f s\n' "$name" "$(echo "$end - $start" | bc)"
  kill $pid
  wait $pid || true
}

flags="--enable-native-access=ALL-UNNAMED -XX:+UseCompactObjectHeaders"
timed "first start (data made)" "$java" $flags -jar "$jar"
timed "plain jar" "$java" $flags -jar "$jar"
"$java" -Djarmode=tools -jar "$jar" extract --destination "$work/app" >/dev/null
cd "$work/app"
timed "extracted" "$java" $flags -jar mesh-0-SNAPSHOT.jar
timed "training run for the class cache" "$java" $flags -XX:AOTCacheOutput=mesh.aot -jar mesh-0-SNAPSHOT.jar
timed "class cache" "$java" $flags -XX:AOTCache=mesh.aot -jar mesh-0-SNAPSHOT.jar
timed "class cache, again" "$java" $flags -XX:AOTCache=mesh.aot -jar mesh-0-SNAPSHOT.jar
