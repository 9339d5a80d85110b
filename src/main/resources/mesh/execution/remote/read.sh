# Prints at most $4 bytes of the file $1 from the byte $3 on, and its size on standard error. With a
# directory $2, a link that leads out of it is refused.
export LC_ALL=C
if [ -n "$2" ]; then
  root=$(cd -P -- "$2" && pwd -P && printf x) real=$(readlink -f -- "$1" && printf x)
  case "${real%?x}/" in / | "${root%?x}"/*) ;; *) exit 3 ;; esac
fi
size=$(stat -L -c %s -- "$1") || exit 4
[ ! -d "$1" ] || exit 5
[ -f "$1" ] || exit 6
if [ "$3" -eq 0 ]; then
  head -c "$4" <"$1" || exit 4
elif [ "$size" -eq 0 ] || [ "$3" -lt "$size" ]; then
  : <"$1" || exit 4
  tail -c "+$(($3 + 1))" <"$1" | head -c "$4" || exit 4
fi
printf 'size %s\n' "$size" >&2
