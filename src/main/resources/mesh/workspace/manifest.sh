# Says what lies in the project directory $1, one fact a line with tabs between: the state of each
# git repository, the versions of tools, and a checksum of each file. Works in dash, bash and busybox
# sh; runs no code of the project's.
export LC_ALL=C GIT_OPTIONAL_LOCKS=0
cd -- "$1" || exit 1
if command -v git >/dev/null; then
  find . -maxdepth 4 -name node_modules -prune -o -name .git -prune -print | sort | head -n 50 |
    while IFS= read -r found; do
      at=${found%/.git}
      quiet() { git -c core.fsmonitor=false -c core.hooksPath=/dev/null -C "$at" "$@" </dev/null 2>/dev/null; }
      printf 'head\t%s\t%s\n' "$at" "$(quiet rev-parse -q --verify HEAD || echo none)"
      quiet status --porcelain --untracked-files=normal | head -n 200 |
        while IFS= read -r line; do printf 'dirty\t%s\t%s\n' "$at" "$line"; done
    done
fi
for tool in git node python3 java go cargo ruby gh glab; do
  command -v "$tool" >/dev/null || continue
  case $tool in go) set -- version ;; java) set -- -version ;; *) set -- --version ;; esac
  printf 'tool\t%s\t%s\n' "$tool" "$("$tool" "$@" </dev/null 2>&1 | head -n 1)"
done
printf 'begun\n'
# What builds leave can be made again, and may be much.
find . \( -name .git -o -name node_modules -o -name target -o -name .venv -o -name __pycache__ \) -prune \
  -o -type f -exec cksum {} + 2>/dev/null |
  while IFS= read -r line; do printf 'file\t%s\n' "$line"; done
printf 'whole\n'
