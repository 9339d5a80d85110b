# Runs one command for Mesh and reports how it ended. Works in dash, bash and busybox sh.
#
# Standard input brings six lines, then the command's own input: a token for the reports, a mark and
# a limit that every process of the command carries, a deadline in seconds or - for none, how many
# bytes of input follow or - if it is whatever comes until its end, and directory and arguments,
# quoted. Nothing runs before all six have come: a lost connection starts nothing.
exec 3<&0 4>&1 5>&2 </dev/null >/dev/null 2>&1
n='
'
IFS= read -r token <&3 && IFS= read -r mark <&3 && IFS= read -r limit <&3 || exit 125
IFS= read -r deadline <&3 && IFS= read -r length <&3 && IFS= read -r text <&3 || exit 125
eval "set -- $text"
# The same line on both streams, so that each says where the command's own output ends. A pipe that
# the command made non-blocking may be full for a moment.
say() {
  until printf '\036%s %s\n' "$token" "$1" >&4; do sleep 0.1; done
  until printf '\036%s %s\n' "$token" "$1" >&5; do sleep 0.1; done
}
# Finds what runs of the command by these files of /proc.
look() {
  found= still=0
  for entry in $(grep -l -a -e " $((limit * 512)) *bytes" -e " $((limit * 1024)) *bytes" \
    -e "MESH_COMMAND=$mark" "$@"); do
    pid=${entry#/proc/} pid=${pid%%/*}
    IFS= read -r line <"/proc/$pid/stat" || continue
    case $line in *') Z '*) ;; *) found="$found $pid" still=$((still + 1)) ;; esac
  done
}
cd -- "$1" || { say nodirectory; exit 0; }
shift
# Who is there, without a process to look.
there() { processes="$*"; }
there /proc/[0-9]*
before=$processes
# Of a session of its own, so that what it leaves running outlives this shell's process group, which
# ends when the connection does. Both also keep a program named like an option from being one.
lead='env --'
command -v setsid && lead='setsid --'
# Ends the command at its deadline if nobody else did: Mesh may stand still, with its connection
# open. Carries a limit of its own, so that a sweep finds it also where this shell was killed.
watcher=
[ "$deadline" = - ] || {
  (
    trap 'kill -KILL "$!"; exit 1' TERM
    ulimit -f "$((limit + 1))"
    until sleep "$deadline" & wait "$!"; do
      # Killed, as by a command that kills whatever is called sleep: it waits its whole time again.
      [ $? -gt 128 ] || exit 1
    done
    trap '' TERM
    kill=kill round=0
    [ "$(id -u)" = 0 ] || ! sudo -n true || kill='sudo -n kill'
    while look /proc/[0-9]*/limits /proc/[0-9]*/environ; [ -n "$found" ]; do
      # Stopped first: no parent gets to go on because its child was killed before it.
      $kill -STOP $found
      $kill -KILL $found
      round=$((round + 1))
      [ "$round" -lt 60 ] || break
      [ "$round" -lt 10 ] || sleep 0.1
    done
    exit 0
  ) 3<&- 4>&- 5>&- &
  watcher=$!
}
run() {
  export MESH_COMMAND="$mark"
  ulimit -f "$limit"
  exec >&4 2>&5 3<&- 4>&- 5>&-
  exec $lead "$@"
}
# In the foreground, because a shell without job control makes background programs deaf to SIGINT.
case $length in
  0) (run "$@") ;;
  -) (exec <&3 && run "$@") ;;
  # What feeds it is not waited for: a command may leave its input unread to a child.
  *) { head -c "$length" <&3 4>&- 5>&- & } | (run "$@") ;;
esac
code=$?
[ -z "$watcher" ] || kill -TERM "$watcher"
# Only what was killed can have been the watcher's, which then finishes what it began.
if [ "$code" = 137 ] && [ -n "$watcher" ] && wait "$watcher"; then
  say late
  exit "$code"
fi
# Where nobody is there who was not before, the command has left nobody.
there /proc/[0-9]*
if [ "$processes" = "$before" ]; then still=0; else look /proc/[0-9]*/limits; fi
say "exit $code $still"
exit "$code"
