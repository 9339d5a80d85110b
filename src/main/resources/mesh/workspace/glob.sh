# Names what is no directory below directory $1 and fits one of the patterns $4 and after it, each
# with a NUL. In them * crosses slashes: they let pass too much, and their owner looks again. What is
# in .git is left out unless $3 is not empty. Ends as list.sh does. Prints 4 MiB at most.
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
skip=.git
[ -z "$3" ] || skip=.mesh-grants
shift 3
for pattern; do
  shift
  set -- "$@" -o -path "$pattern"
done
shift
find . \( -name "$skip" -o -name .mesh-grants \) -prune -o ! -type d \( "$@" \) -print0 | head -c 4194304
exit 0
