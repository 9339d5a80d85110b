# Starts one command that goes on after this script has ended.
#
# $1 the folder of all background processes, $2 the command in one line, $3 most bytes that are kept
# of each of its channels, $4 how many may run at once, $5 the script that looks after it, and then
# the command, which is not parsed again. Standard input becomes the command's. Prints the number of
# the process. Ends with 3 if the folder is not as it must be, with 4 if too many run.
mesh_all=$1 mesh_head=$2 mesh_most=$3 mesh_many=$4 mesh_keeper=$5
shift 5
[ ! -L "$mesh_all" ] || exit 3
(umask 077 && mkdir -p -- "$mesh_all") && [ -d "$mesh_all" ] && [ -O "$mesh_all" ] || exit 3
mesh_last=0 mesh_running=0
for mesh_one in "$mesh_all"/*; do
  mesh_number=${mesh_one##*/}
  case $mesh_number in '' | *[!0-9]*) continue ;; esac
  [ "$mesh_number" -le "$mesh_last" ] || mesh_last=$mesh_number
  mesh_look "$mesh_one"
  [ "$mesh_state" != running ] || mesh_running=$((mesh_running + 1))
done
[ "$mesh_running" -lt "$mesh_many" ] || exit 4
# What ended long ago makes room.
for mesh_one in "$mesh_all"/*; do
  mesh_number=${mesh_one##*/}
  case $mesh_number in '' | *[!0-9]*) continue ;; esac
  [ "$mesh_number" -le "$((mesh_last - mesh_many))" ] || continue
  mesh_look "$mesh_one"
  [ "$mesh_state" = running ] || rm -rf -- "$mesh_one"
done
mesh_number=$((mesh_last + 1))
until (umask 077 && mkdir -- "$mesh_all/$mesh_number") 2>/dev/null; do
  [ -e "$mesh_all/$mesh_number" ] || exit 3
  mesh_number=$((mesh_number + 1))
done
mesh_folder=$mesh_all/$mesh_number
(
  umask 077
  cat >"$mesh_folder/stdin" && date +%s >"$mesh_folder/begun" &&
    printf '%s\n' "$mesh_head" >"$mesh_folder/head"
) || exit 3
if command -v setsid >/dev/null 2>&1; then
  # The second finds itself the leader of a group, forks and ends. So nothing has to be started with
  # &, which would make the command deaf to SIGINT.
  setsid sh -c 'exec setsid "$@"' mesh sh -c "$mesh_keeper" mesh "$mesh_folder" "$mesh_most" "$@" \
    </dev/null >/dev/null 2>&1
else
  sh -c "$mesh_keeper" mesh "$mesh_folder" "$mesh_most" "$@" </dev/null >/dev/null 2>&1 &
fi
mesh_round=0
until [ -e "$mesh_folder/leader" ]; do
  mesh_round=$((mesh_round + 1))
  [ "$mesh_round" -lt 100 ] || exit 5
  sleep 0.05
done
printf '%s\n' "$mesh_number"
