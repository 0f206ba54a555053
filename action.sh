#!/usr/bin/env bash
# Runs `deckcheck validate` with the inputs of action.yml: INPUT_PATHS, INPUT_FORMAT,
# INPUT_OPTIONS, INPUT_SARIF, INPUT_BASE. The rest of the environment is as GitHub sets it.
set -euo pipefail

words=(--output-format github)
paths=()

finish() {
  echo "exit-code=$1" >> "$GITHUB_OUTPUT"
  exit "$1"
}

misuse() {
  echo "::error title=deckcheck::$1"
  finish 2
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

# Whoever is judged must not bring the judge: all but the lists is as on the branch that
# a pull request goes to, while decks are checked. What a list folder has of
# configurations is the judge's too.
judge=()
kept=$(mktemp -d)
restore() {
  local file
  for file in ${judge[@]+"${judge[@]}"}; do
    rm -f -- "$file"
    if [[ -e $kept/$file || -L $kept/$file ]]; then
      mkdir -p -- "$(dirname -- "$file")"
      cp -P -p -- "$kept/$file" "$file"
    fi
  done
  rm -rf -- "$kept" "$kept.differ"
}
trap restore EXIT

take_judge_from() {
  local base=$1 file shown
  local lists=() settings=(':(glob)**/deckcheck.toml' ':(glob)**/.deckcheck.toml' ':(glob)**/pyproject.toml')
  for file in ${paths[@]+"${paths[@]}"}; do lists+=(":(exclude)${file#./}"); done
  if ! git fetch --quiet --no-tags --depth=1 origin "$base"; then
    misuse "Branch $base, whose configuration counts, cannot be fetched; give the checkout its credentials, or pass base: '' to let a pull request bring its own"
  fi
  if ! {
    git diff --name-only --no-renames -z FETCH_HEAD -- . ${lists[@]+"${lists[@]}"} &&
      git diff --name-only --no-renames -z FETCH_HEAD -- "${settings[@]}" &&
      git ls-files --others -z -- "${settings[@]}"
  } > "$kept.differ"; then
    misuse "What differs from $base cannot be told: name paths inside of the repository"
  fi
  while IFS= read -r -d '' file; do judge+=("$file"); done < <(sort -uz "$kept.differ")
  if ((${#judge[@]} == 0)); then return; fi
  shown=$(printf '%s, ' "${judge[@]:0:5}")
  if ((${#judge[@]} > 5)); then shown+="and $((${#judge[@]} - 5)) more, "; fi
  echo "::warning title=Judged by $base::${shown%, } differ from $base and do not count: decks are judged by the files of $base"
  for file in "${judge[@]}"; do
    if [[ -e $file || -L $file ]]; then
      mkdir -p -- "$kept/$(dirname -- "$file")"
      cp -P -p -- "$file" "$kept/$file"
      rm -f -- "$file"
    fi
    if git cat-file -e "FETCH_HEAD:$file" 2> /dev/null; then
      mkdir -p -- "$(dirname -- "$file")"
      git cat-file blob "FETCH_HEAD:$file" > "$file"
    fi
  done
}

if [[ -n $INPUT_FORMAT ]]; then words+=(--format "$INPUT_FORMAT"); fi
if [[ -n $INPUT_SARIF ]]; then words+=(--output-format "sarif:$INPUT_SARIF"); fi
add_options "$INPUT_OPTIONS"
while IFS= read -r line; do paths+=("$line"); done < <(lines_of "$INPUT_PATHS")
if [[ -n $INPUT_BASE ]]; then take_judge_from "$INPUT_BASE"; fi

code=0
deckcheck validate "${words[@]}" -- ${paths[@]+"${paths[@]}"} || code=$?
finish "$code"
