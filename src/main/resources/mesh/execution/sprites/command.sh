# Runs one command for Mesh and reports how it ended. Works in dash, bash and busybox sh.
#
# Standard input brings four lines, then the command's own input: a token for the reports, a mark
# and a limit that every process of the command carries, and directory and arguments, quoted.
# Nothing runs before all four have come: a lost connection starts nothing.
exec 3<&0 4>&1 5>&2 </dev/null >/dev/null 2>&1
n='
'
IFS= read -r token <&3 && IFS= read -r mark <&3 && IFS= read -r limit <&3 || exit 125
IFS= read -r text <&3 || exit 125
eval "set -- $text"
# The same line on both streams, so that each says where the command's own output ends. A pipe that
# the command made non-blocking may be full for a moment.
say() {
  until printf '\036%s %s\n' "$token" "$1" >&4; do sleep 0.1; done
  until printf '\036%s %s\n' "$token" "$1" >&5; do sleep 0.1; done
}
cd -- "$1" || { say nodirectory; exit 0; }
shift
# Of a session of its own, so that what it leaves running outlives this shell's process group, which
# ends when the connection does. Both also keep a program named like an option from being one.
lead='env --'
command -v setsid && lead='setsid --'
# In the foreground, because a shell without job control makes background programs deaf to SIGINT.
(
  export MESH_COMMAND="$mark"
  ulimit -f "$limit"
  exec <&3 >&4 2>&5 3<&- 4>&- 5>&-
  exec $lead "$@"
)
code=$? still=0
for entry in $(grep -l " $((limit * 512)) *bytes\| $((limit * 1024)) *bytes" /proc/[0-9]*/limits); do
  IFS= read -r line <"${entry%limits}stat" || continue
  case $line in *') Z '*) ;; *) still=$((still + 1)) ;; esac
done
say "exit $code $still"
exit "$code"
