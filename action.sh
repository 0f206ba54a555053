#!/usr/bin/env bash
# Runs `deckcheck validate`, and `deckcheck event` for INPUT_EVENT, with the inputs of
# action.yml, which come as INPUT_*. The rest of the environment is as GitHub sets it.
set -euo pipefail

words=(--no-suppress)
outputs=(--output-format github --checkout "$PWD")
paths=()
judge=

# However this ends, the next step learns the exit code, and nothing is left behind.
finish() {
  local code=$?
  if [[ -n $judge ]]; then
    cd "$GITHUB_WORKSPACE"
    git worktree remove --force "$judge" 2> /dev/null || rm -rf -- "$judge"
  fi
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
}
trap finish EXIT

misuse() {
  echo "::error title=deckcheck::$1"
  exit 2
}

lines_of() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ -n $line ]]; then printf '%s\n' "$line"; fi
  done <<< "$1"
}

# `--fail-on warning` in one line, or a word a line; quotes hold words together.
add_options() {
  local line split
  while IFS= read -r line; do
    if [[ $line != -* ]]; then
      words+=("$line")
      continue
    fi
    if ! split=$(xargs -n 1 printf '%s\n' <<< "$line" 2> /dev/null); then
      misuse "The option line $line has a quote without an end"
    fi
    while IFS= read -r word; do words+=("$word"); done <<< "$split"
  done < <(lines_of "$1")
}

# Whoever is judged must not bring the judge: in a pull request we work in a checkout of
# the branch it goes to, and read nothing but lists from its own.
work_in() {
  local depth=()
  if [[ $(git rev-parse --is-shallow-repository) == true ]]; then depth=(--depth=1); fi
  if ! git fetch --quiet --no-tags --no-recurse-submodules ${depth[@]+"${depth[@]}"} origin "refs/heads/$1"; then
    misuse "Branch $1, whose configuration counts, cannot be fetched; give the checkout its credentials, or pass base: '' to let a pull request bring its own"
  fi
  judge=$(mktemp -d)
  if ! git -c core.hooksPath=/dev/null worktree add --quiet --detach "$judge" FETCH_HEAD; then
    misuse "Branch $1, whose configuration counts, cannot be checked out"
  fi
  cd "$judge"
}

if [[ -n $INPUT_FORMAT ]]; then words+=(--format "$INPUT_FORMAT"); fi
if [[ -n $INPUT_SARIF ]]; then words+=(--output-format "sarif:$INPUT_SARIF"); fi
add_options "$INPUT_OPTIONS"
while IFS= read -r line; do paths+=("$line"); done < <(lines_of "$INPUT_PATHS")
if [[ -n $INPUT_BASE ]]; then work_in "$INPUT_BASE"; fi

code=0
deckcheck validate "${outputs[@]}" "${words[@]}" -- ${paths[@]+"${paths[@]}"} || code=$?
if [[ -n $INPUT_EVENT ]]; then
  players=0
  deckcheck event "${outputs[@]}" -- "$INPUT_EVENT" || players=$?
  if ((players > code)); then code=$players; fi
fi
exit "$code"
