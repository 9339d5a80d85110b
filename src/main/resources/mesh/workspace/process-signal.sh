# Sends signal $2 to the whole tree of the background process of folder $1: what carries its mark,
# what is of its session, and what descends from either. Prints to how many, and the state. Ends with
# 3 if there is no such process.
[ -f "$1/begun" ] || exit 3
folder=$1 signal=$2
IFS=' ' read -r keeper since <"$folder/supervisor" || exit 3
IFS=' ' read -r leader since <"$folder/leader" || exit 3
# A number that was given to another process meanwhile says nothing.
[ ! -e "/proc/$leader" ] || mesh_lives "$folder/leader" || leader=-
find_all() {
  found=' '
  for entry in $(grep -l -a -F -e "MESH_PROCESS=$folder/" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${entry#/proc/} pid=${pid%%/*}
    found="$found$pid "
  done
  everyone=
  for entry in /proc/[0-9]*/stat; do
    { IFS= read -r line <"$entry"; } 2>/dev/null || continue
    pid=${entry#/proc/} pid=${pid%/stat}
    set -- ${line##*) }
    case ${1:-Z} in [ZX]) continue ;; esac
    everyone="$everyone $pid:$2:$4"
  done
  more=yes
  while [ -n "$more" ]; do
    more=
    for one in $everyone; do
      pid=${one%%:*} rest=${one#*:}
      case $found in *" $pid "*) continue ;; esac
      case $pid in "$keeper" | "$$") continue ;; esac
      case $found in
        *" ${rest%%:*} "*) found="$found$pid " more=yes ;;
        *) [ "${rest#*:}" != "$leader" ] || { found="$found$pid " more=yes; } ;;
      esac
    done
  done
}
send() {
  for pid in $found; do
    kill -s "$1" "$pid" 2>/dev/null || sudo -n kill -s "$1" "$pid" 2>/dev/null
  done
}
find_all
set -- $found
count=$#
if [ "$signal" = KILL ]; then
  round=0
  while [ -n "${found# }" ] && [ "$round" -lt 20 ]; do
    # Stopped first: no parent gets to go on because its child was killed before it.
    send STOP
    send KILL
    round=$((round + 1))
    [ "$round" -lt 5 ] || sleep 0.1
    find_all
  done
  # Its end is noted by who looks after it.
  round=0
  while mesh_look "$folder" && [ "$mesh_state" = running ] && [ "$round" -lt 20 ]; do
    round=$((round + 1))
    sleep 0.05
  done
else
  send "$signal"
fi
mesh_look "$folder"
printf '%s %s %s\n' "$count" "$mesh_state" "$mesh_code"
