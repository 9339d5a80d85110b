# Looks after one background process, from its start until nobody holds its output open.
#
# $1 its folder, $2 most bytes that are kept of each channel, and then the command. Output is kept in
# parts of a MiB at most, each named by its first byte; the oldest go when there are too many.
mesh_folder=$1 mesh_most=$2
shift 2
mesh_begun() {
  IFS= read -r mesh_stat <"/proc/$1/stat"
  mesh_number=$1
  set -- ${mesh_stat##*) }
  printf '%s %s\n' "$mesh_number" "${20}"
}
(umask 077 && mesh_begun "$$" >"$mesh_folder/new" && mv -f -- "$mesh_folder/new" "$mesh_folder/supervisor" &&
  mkfifo -- "$mesh_folder/out" "$mesh_folder/err") || exit 1
mesh_keep() {
  umask 077
  mesh_end=0
  set --
  while :; do
    mesh_part=$mesh_folder/$mesh_name.$mesh_end
    # Reads no more than it writes, and writes what it reads at once.
    dd bs=1024 count=1024 of="$mesh_part" 2>/dev/null || {
      # A full disk does not end the process.
      cat >/dev/null
      exit
    }
    mesh_size=$(wc -c <"$mesh_part") && [ "$mesh_size" -gt 0 ] || {
      rm -f -- "$mesh_part"
      exit
    }
    set -- "$@" "$mesh_end"
    mesh_end=$((mesh_end + mesh_size))
    while [ "$#" -gt 1 ] && [ "$((mesh_end - $2))" -ge "$mesh_most" ]; do
      rm -f -- "$mesh_folder/$mesh_name.$1"
      shift
    done
  done
}
mesh_name=stdout
mesh_keep <"$mesh_folder/out" &
mesh_name=stderr
mesh_keep <"$mesh_folder/err" &
mesh_lead='env --'
command -v setsid >/dev/null 2>&1 && mesh_lead='setsid --'
# In the foreground, because a shell without job control makes background programs deaf to SIGINT.
(
  exec <"$mesh_folder/stdin" >"$mesh_folder/out" 2>"$mesh_folder/err"
  rm -f -- "$mesh_folder/out" "$mesh_folder/err" "$mesh_folder/stdin"
  IFS=' ' read -r mesh_own mesh_rest </proc/self/stat
  (umask 077 && mesh_begun "$mesh_own" >"$mesh_folder/new" &&
    mv -f -- "$mesh_folder/new" "$mesh_folder/leader")
  # Every process that comes of it carries this, with a slash so that 1 is not 12.
  export MESH_PROCESS="$mesh_folder/"
  exec $mesh_lead "$@"
)
mesh_code=$?
(umask 077 && printf '%s %s\n' "$mesh_code" "$(date +%s)" >"$mesh_folder/new" &&
  mv -f -- "$mesh_folder/new" "$mesh_folder/status")
wait
