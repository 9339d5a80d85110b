# What the scripts for background processes share. Works in dash, bash and busybox sh.
#
# Each process has a folder: head (its command in a line), begun, supervisor and leader (number and
# start of a process), status (exit code and when, once it ended), and its output in parts that are
# named by channel and first byte.

# Whether the process whose number and start the file $1 has still runs.
mesh_lives() {
  { IFS=' ' read -r mesh_pid mesh_since <"$1"; } 2>/dev/null || return 1
  { IFS= read -r mesh_stat <"/proc/$mesh_pid/stat"; } 2>/dev/null || return 1
  set -- ${mesh_stat##*) }
  case $1 in [ZX]) return 1 ;; esac
  [ "${20}" = "$mesh_since" ]
}
# Says in mesh_state what became of the process of folder $1: running, ended or lost.
mesh_look() {
  mesh_state=ended mesh_code=- mesh_over=-
  { IFS=' ' read -r mesh_code mesh_over <"$1/status"; } 2>/dev/null && return
  mesh_state=running
  mesh_lives "$1/supervisor" && return
  mesh_state=ended
  { IFS=' ' read -r mesh_code mesh_over <"$1/status"; } 2>/dev/null && return
  mesh_state=lost mesh_code=- mesh_over=-
}
# Says in mesh_first and mesh_total from where to where there is output in parts named $1.
mesh_extent() {
  mesh_first=-1 mesh_total=0
  for mesh_part in "$1".*; do
    [ -f "$mesh_part" ] || continue
    mesh_at=${mesh_part##*.}
    if [ "$mesh_first" -lt 0 ] || [ "$mesh_at" -lt "$mesh_first" ]; then mesh_first=$mesh_at; fi
    if [ "$mesh_at" -ge "$mesh_total" ]; then mesh_total=$mesh_at; fi
  done
  [ "$mesh_first" -ge 0 ] || { mesh_first=0; return; }
  mesh_size=$(wc -c <"$1.$mesh_total") || mesh_size=0
  mesh_total=$((mesh_total + mesh_size))
}
