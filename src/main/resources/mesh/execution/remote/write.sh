# Replaces the file $1 by the $4 bytes on standard input in one step, by way of a new file $5 beside
# it. $3 is its mode; if empty, an existing file's mode is kept. With a directory $2, a link that
# leads out of it is refused.
export LC_ALL=C
umask 022
refuse() {
  printf '%s\n' "$1" >&2
  exit 4
}
inside() {
  [ -z "$root" ] || case "$1/" in "$root"/*) ;; *) exit 3 ;; esac
}
path=$1 root= tmp=$5
if [ -n "$2" ]; then
  root=$(cd -P -- "$2" && pwd -P && printf x)
  root=${root%?x}
fi
if [ -L "$path" ]; then
  why=$(stat -L -- "$path" 2>&1) || case $why in *'oo many'*) refuse "$why" ;; esac
  real=$({ readlink -f -- "$path" || readlink -m -- "$path"; } && printf x)
  path=${real%?x}
  [ -n "$path" ] || refuse "$why"
fi
parent=${path%/*} name=./${path##*/}
parent=${parent:-/}
at=$parent
while [ ! -e "$at" ] && [ ! -L "$at" ] && [ "$at" != / ]; do
  at=${at%/*}
  at=${at:-/}
done
if [ ! -d "$at" ]; then
  why=$(stat -L -- "$at" 2>&1) || case $why in *'No such'*) ;; *) refuse "$why" ;; esac
  [ ! -e "$at" ] || refuse 'Not a directory'
  real=$({ readlink -f -- "$at" || readlink -m -- "$at"; } && printf x)
  inside "${real%?x}"
  refuse 'Not a directory'
fi
real=$(cd -P -- "$at" && pwd -P && printf x) || refuse 'Permission denied'
inside "${real%?x}"
[ -d "$parent" ] || mkdir -p -- "$parent" || exit 4
cd -P -- "$parent" || refuse 'Permission denied'
[ ! -d "$name" ] || exit 5
[ ! -e "$name" ] || [ -f "$name" ] || exit 6
mode=$3
[ -n "$mode" ] || [ ! -f "$name" ] || mode=$(stat -c %a -- "$name")
trap 'rm -f -- "./$tmp"' EXIT
(umask 077 && set -C && cat >"./$tmp") || exit 4
# A connection lost on the way looks like the end of the input.
[ "$(wc -c <"./$tmp")" -eq "$4" ] || exit 7
chmod -- "${mode:-0644}" "./$tmp" || exit 4
mv -f -- "./$tmp" "$name" || exit 4
trap - EXIT
