# Runs one command with its grant. Works in dash, bash and busybox sh.
#
# $1 the grant file, $2 its token, and then the command, which is not parsed again. The file is
# removed before the command begins. Whatever is wrong with it is said in one line that only this
# script can know, since the token is nowhere else: no exit code of a command is ever taken for it.
# Its own names begin with mesh_, since the command may have been given any other.
mesh_grant=$1 mesh_token=$2
shift 2
mesh_refuse() {
  trap - EXIT
  printf 'mesh-grant %s %s\n' "$mesh_token" "$1" >&2
  exit 126
}
# A shell ends at once when it cannot read what it is to source.
trap 'mesh_refuse unreadable' EXIT
mesh_folder=${mesh_grant%/*}
for mesh_place in "$mesh_grant" "$mesh_folder" "${mesh_folder%/*}"; do
  [ ! -L "$mesh_place" ] || mesh_refuse replaced
done
[ -e "$mesh_grant" ] || mesh_refuse missing
[ -f "$mesh_grant" ] && [ -O "$mesh_grant" ] || mesh_refuse replaced
[ -r "$mesh_grant" ] || mesh_refuse unreadable
IFS= read -r mesh_line <"$mesh_grant" || mesh_refuse unreadable
[ "$mesh_line" = "# $mesh_token" ] || mesh_refuse replaced
. "$mesh_grant" >/dev/null 2>&1
[ "$MESH_GRANT" = "$mesh_token" ] || mesh_refuse replaced
rm -f -- "$mesh_grant" || mesh_refuse kept
trap - EXIT
unset MESH_GRANT mesh_grant mesh_token mesh_line mesh_folder mesh_place
unset -f mesh_refuse
# A shell says 126 of a missing program when it may not look into some folder of its search path.
case $1 in
  -*) ! : ;;
  */*) ;;
  *) command -v "$1" >/dev/null 2>&1 ;;
esac || {
  printf '%s: not found\n' "$1" >&2
  exit 127
}
exec "$@"
