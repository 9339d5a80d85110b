# Kills all that runs in a sandbox: every process of this user, and whatever came of a command of
# Mesh's, also as another user, which is told by its mark or by a limit in the range that Mesh's
# are from (2^49 to 2^51 bytes). As root where that is allowed, for a command may have used sudo.
# Left alone are the processes that this one descends from: among them is the vendor's, which starts
# commands.
script='
spare=" 1 " pid=$$
while [ "${pid:-0}" -gt 1 ]; do
  spare="$spare$pid "
  pid=$(sed -n "s/^PPid:[^0-9]*//p" "/proc/$pid/status")
done
owned="^Uid:.*[[:space:]]$1[[:space:]]"
# Root has processes that are not ours.
[ "$1" != 0 ] || owned=MESH_COMMAND=
round=0
while [ "$round" -lt 60 ]; do
  found=
  for entry in $(grep -l -a -e "$owned" -e "MESH_COMMAND=" -e mesh-clear \
    -e "^Max file size.* [5-9][0-9]\{14\} " -e "^Max file size.* [12][0-9]\{15\} " \
    /proc/[0-9]*/cmdline /proc/[0-9]*/status /proc/[0-9]*/environ /proc/[0-9]*/limits); do
    pid=${entry#/proc/} pid=${pid%%/*}
    case $spare in *" $pid "*) continue ;; esac
    # Two that clear at the same time could stop each other for ever.
    case $entry in */cmdline) kill -KILL "$pid" ;; esac
    while IFS= read -r line; do
      case $line in
        State:*[ZX]*) break ;;
        State:*) found="$found $pid" && break ;;
      esac
    done <"/proc/$pid/status" || continue
  done
  [ -n "$found" ] || exit 0
  # Stopped first: no parent gets to go on because its child was killed before it.
  kill -STOP $found
  kill -KILL $found
  round=$((round + 1))
  [ "$round" -lt 10 ] || sleep 0.1
done
exit 1
'
exec </dev/null >/dev/null 2>&1
uid=$(id -u)
[ "$uid" = 0 ] || ! sudo -n true || exec sudo -n sh -c "$script" mesh-clear "$uid"
exec sh -c "$script" mesh-clear "$uid"
