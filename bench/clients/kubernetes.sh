#!/usr/bin/env bash
# Times what kubectl does, for mesh.bench.RemoteExecBench. One line of JSON on standard output.
set -eu
pod=bench-client bytes=$((20 * 1024 * 1024))
now() { date +%s%N; }
"$KUBECTL" run "$pod" --image=debian --restart=Never --command -- sleep infinity >/dev/null
"$KUBECTL" wait --for=condition=Ready "pod/$pod" --timeout=60s >/dev/null
times=()
for run in $(seq 1 40); do
  start=$(now)
  [ "$("$KUBECTL" exec "$pod" -- echo hi)" = hi ]
  [ "$run" -le 10 ] || times+=($((($(now) - start) / 1000)))
done
echo_=$(printf '%s\n' "${times[@]}" | sort -n | sed -n 15p)
start=$(now)
[ "$("$KUBECTL" exec "$pod" -- head -c "$bytes" /dev/zero | wc -c)" = "$bytes" ]
out=$((($(now) - start) / 1000))
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
head -c "$bytes" /dev/zero >"$scratch"
start=$(now)
"$KUBECTL" cp "$scratch" "$pod:/tmp/big" >/dev/null
in=$((($(now) - start) / 1000))
"$KUBECTL" delete pod "$pod" --grace-period=0 --force >/dev/null 2>&1
awk -v e="$echo_" -v o="$out" -v i="$in" 'BEGIN { printf "{\"echo\":%.1f,\"out\":%.1f,\"write\":%.1f}\n", e / 1000, o / 1000, i / 1000 }'
