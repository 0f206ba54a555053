#!/usr/bin/env bash
# Runs `deckcheck validate` with the inputs of action.yml: INPUT_PATHS, INPUT_FORMAT,
# INPUT_OPTIONS, INPUT_SARIF. The rest of the environment is as GitHub sets it.
set -euo pipefail

words=(--output-format github)
add_lines() {
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ -n $line ]]; then words+=("$line"); fi
  done <<< "$1"
}

if [[ -n $INPUT_FORMAT ]]; then words+=(--format "$INPUT_FORMAT"); fi
if [[ -n $INPUT_SARIF ]]; then words+=(--output-format "sarif:$INPUT_SARIF"); fi
add_lines "$INPUT_OPTIONS"
words+=(--)
add_lines "$INPUT_PATHS"

code=0
deckcheck validate "${words[@]}" || code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
exit "$code"
