# Makes the folder that grant files are written to, and removes what instances left there that are
# no more. Works in dash, bash and busybox sh.
#
# $1 the folder of all instances, $2 this instance's part of it, $3 the project directory, and then
# the parts of all instances that live. Prints how many parts of others are left. Ends with 3 if
# something is in the way that nobody but the sandbox's own programs can have put there.
umask 077
all=$1 part=$2 project=$3
shift 3
for place in "$all" "$all/$part"; do
  if [ -L "$place" ] || { [ -e "$place" ] && [ ! -d "$place" ]; }; then exit 3; fi
  [ -d "$place" ] || mkdir -p -- "$place" || exit 4
  [ -O "$place" ] || exit 3
  chmod 700 "$place" || exit 4
done
real=$(cd -- "$all/$part" && pwd -P) || exit 4
inside=$(cd -- "$project" && pwd -P) || inside=$project
case $real/ in "$inside"/*) exit 3 ;; esac
left=0
for place in "$all"/*; do
  name=${place##*/} lives=
  for living; do [ "$name" = "$living" ] && lives=yes; done
  if [ -z "$lives" ]; then
    rm -rf -- "$place" || exit 4
  elif [ "$name" != "$part" ]; then
    left=$((left + 1))
  fi
done
echo "$left"
