# Prints which of its arguments, each host:port, answer. On port 443 an answer is one after TLS: what
# filters by the name that a client says may let the bare connection through.
try() {
  host=${1%:*} port=${1##*:}
  if command -v curl >/dev/null; then
    scheme=http
    [ "$port" != 443 ] || scheme=https
    curl --silent --insecure --noproxy '*' --output /dev/null --connect-timeout 4 --max-time 8 \
      "$scheme://$host:$port/"
    case $? in 0 | 1 | 22 | 51 | 52 | 56 | 60) printf '%s\n' "$1" ;; esac
  else
    timeout 4 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$host" "$port" && printf '%s\n' "$1"
  fi
}
command -v curl >/dev/null || command -v bash >/dev/null || exit 3
for it; do
  try "$it" 2>/dev/null &
done
wait
