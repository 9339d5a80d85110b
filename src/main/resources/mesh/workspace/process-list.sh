# Says a line of each background process of folder $1, with tabs between: number, state, exit code,
# when it began and ended, bytes of both channels, the command.
for mesh_one in "$1"/*; do
  case ${mesh_one##*/} in '' | *[!0-9]*) continue ;; esac
  mesh_begun=- mesh_head=
  { IFS= read -r mesh_begun <"$mesh_one/begun"; } 2>/dev/null || continue
  { IFS= read -r mesh_head <"$mesh_one/head"; } 2>/dev/null || continue
  mesh_look "$mesh_one"
  mesh_extent "$mesh_one/stdout"
  mesh_out=$mesh_total
  mesh_extent "$mesh_one/stderr"
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${mesh_one##*/}" "$mesh_state" "$mesh_code" \
    "$mesh_begun" "$mesh_over" "$mesh_out" "$mesh_total" "$mesh_head"
done
