# Finds lines that fit a pattern in the regular files at or below $1.
#
# $2 as in list.sh, $3 the pattern, an extended regular expression, $4 -i or empty, $5 lines of context,
# $6 most lines of a file and most files, $7 and after it what paths must fit as in glob.sh. Prints of each file that
# has some its path (of one that was itself given a dot) and a NUL, then as grep -n does, and a NUL. Lines are cut after 2,000 bytes. Files with
# a NUL in their first 8 KiB are no text. Ends with 6 if the pattern is none, with 7 if there is neither a
# directory nor a regular file, otherwise as list.sh does. Prints 1 MiB at most.
export LC_ALL=C
exec 2>/dev/null
[ -e "$1" ] || exit 4
grep -E $4 -e "$3" </dev/null >/dev/null
[ "$?" -lt 2 ] || exit 6
at=$1 file=
if [ ! -d "$at" ]; then
  [ -f "$at" ] || exit 7
  file=./${at##*/}
  at=${at%/*}
  at=${at:-/}
fi
cd -P -- "$at" || exit 4
here=$(pwd -P && printf x)
here=${here%?x}
if [ -n "$file" ]; then
  here=$(readlink -f -- "$file" && printf x)
  here=${here%?x}
fi
case $here/ in */.mesh-grants/*) exit 3 ;; esac
if [ -n "$2" ]; then
  root=$(cd -P -- "$2" && pwd -P && printf x)
  case $here/ in "${root%?x}"/*) ;; *) exit 3 ;; esac
fi
line='
'
pattern=$3 flag=$4 context=$5 most=$6
shift 6
for wanted; do
  shift
  set -- "$@" -o -path "$wanted"
done
shift
show='
[ "$(head -c 8192 <"$1" | tr -d "\000" | wc -c)" -eq "$(head -c 8192 <"$1" | wc -c)" ] || exit 0
printf "%s\0" "${6:-$1}"
grep -n -a -E $2 -C "$4" -m "$5" -e "$3" -- "$1" | tr -d "\000" | cut -b 1-2000
printf "\0"
'
if [ -n "$file" ]; then
  grep -q -a -E $flag -e "$pattern" -- "$file" &&
    sh -c "$show" mesh "$file" "$flag" "$pattern" "$context" "$most" .
else
  # Names in lines are fast, so those with a line feed go a way of their own.
  find . \( -name .git -o -name .mesh-grants \) -prune -o -type f \( "$@" \) ! -path "*$line*" \
    -exec grep -l -I -E $flag -e "$pattern" -- {} + | sort | head -n "$((most + 1))" |
    while IFS= read -r found; do
      sh -c "$show" mesh "$found" "$flag" "$pattern" "$context" "$most"
    done
  find . \( -name .git -o -name .mesh-grants \) -prune -o -type f \( "$@" \) -path "*$line*" \
    -exec grep -q -I -E $flag -e "$pattern" -- {} \; \
    -exec sh -c "$show" mesh {} "$flag" "$pattern" "$context" "$most" \;
fi | head -c 1048576
exit 0
