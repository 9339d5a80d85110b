# Prints a piece of the output of the background process of folder $1.
#
# $2 the channel, $3 the byte from which on, counted from the end if below 0, $4 how many bytes before
# it and $5 how many from it on, $6 for how many tenths of a second to wait for one, and
# for more than $7 bytes in all. First comes a
# line: state, exit code, whether
# something holds the output open, from where to where there is output, the byte asked for, the byte that
# comes first. Ends with 3 if there is no such process, with 5 if the piece was dropped meanwhile.
[ -f "$1/begun" ] || exit 3
mesh_left=$6
while :; do
  # In this order: what was printed before it ended is seen.
  mesh_open=no
  if mesh_lives "$1/supervisor"; then mesh_open=yes; fi
  mesh_look "$1"
  mesh_extent "$1/$2"
  mesh_from=$3
  [ "$mesh_from" -ge 0 ] || mesh_from=$((mesh_total + mesh_from))
  [ "$mesh_from" -ge "$mesh_first" ] || mesh_from=$mesh_first
  [ "$mesh_total" -le "$mesh_from" ] || [ "$mesh_total" -le "$7" ] || break
  [ "$mesh_open" = yes ] && [ "$mesh_left" -gt 0 ] || break
  sleep 0.1
  mesh_left=$((mesh_left - 1))
done
mesh_start=$((mesh_from - $4))
[ "$mesh_start" -ge "$mesh_first" ] || mesh_start=$mesh_first
printf '%s %s %s %s %s %s %s\n' "$mesh_state" "$mesh_code" "$mesh_open" "$mesh_first" "$mesh_total" "$mesh_from" "$mesh_start"
mesh_todo=$((mesh_from + $5 - mesh_start))
mesh_at=-1
for mesh_part in "$1/$2".*; do
  mesh_here=${mesh_part##*.}
  [ -f "$mesh_part" ] && [ "$mesh_here" -le "$mesh_start" ] && [ "$mesh_here" -gt "$mesh_at" ] || continue
  mesh_at=$mesh_here
done
while [ "$mesh_at" -ge 0 ] && [ "$mesh_todo" -gt 0 ] && [ -f "$1/$2.$mesh_at" ]; do
  # Open, it can be read even if it is removed.
  { exec 3<"$1/$2.$mesh_at"; } 2>/dev/null || exit 5
  mesh_size=$(wc -c <"$1/$2.$mesh_at") || exit 5
  mesh_skip=$((mesh_start - mesh_at))
  mesh_now=$((mesh_size - mesh_skip))
  [ "$mesh_now" -le "$mesh_todo" ] || mesh_now=$mesh_todo
  [ "$mesh_now" -gt 0 ] || break
  tail -c "+$((mesh_skip + 1))" <&3 | head -c "$mesh_now"
  mesh_todo=$((mesh_todo - mesh_now))
  mesh_start=$((mesh_start + mesh_now))
  mesh_at=$((mesh_at + mesh_size))
done
