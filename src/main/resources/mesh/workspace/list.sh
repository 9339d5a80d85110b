# Says what is in directory $1 and $3 levels below at most: in turns the names, each ended by a NUL, an
# empty one, and in the same order a line of each with its mode in hexadecimal and its size, ended by
# a NUL. Ends with 3 if a link leads out of directory $2, with 4 if there is nothing or it may not be
# looked at, with 5 if it is no directory. Prints $4 bytes at most.
export LC_ALL=C
exec 2>/dev/null
[ -e "$1" ] || exit 4
[ -d "$1" ] || exit 5
cd -P -- "$1" || exit 4
here=$(pwd -P && printf x)
here=${here%?x}
case $here/ in */.mesh-grants/*) exit 3 ;; esac
if [ -n "$2" ]; then
  root=$(cd -P -- "$2" && pwd -P && printf x)
  case $here/ in "${root%?x}"/*) ;; *) exit 3 ;; esac
fi
find . -maxdepth "$3" ! -name . \( -name .mesh-grants -prune -o -exec sh -c '
  printf "%s\0" "$@"
  printf "\0"
  said=$(stat -c "%f %s" -- "$@") || said=$(for it; do stat -c "%f %s" -- "$it" || echo -; done)
  printf "%s\0" "$said"
' mesh {} + \) | head -c "$4"
exit 0
