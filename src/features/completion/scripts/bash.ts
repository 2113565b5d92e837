/**
 * Bash 3.2 and later. The tool gets the line up to the cursor and the part of it that readline will replace, and gives back what is
 * to be inserted, quoted already: nothing of it is expanded here.
 */
export const bashScript = `# roomctl completion for bash. Made by: roomctl completion bash
_roomctl() {
  local line first=1 kind= listing=
  COMPREPLY=()
  # Readline only lists then, and inserts nothing: names may stand beside the ids.
  case "\${COMP_TYPE:-9}" in 33 | 63 | 64) listing=--listing ;; esac
  while IFS= read -r line; do
    if [[ -n $first ]]; then
      kind=$line first=
    else
      COMPREPLY+=("$line")
    fi
  done < <(command roomctl complete --shell bash $listing "--replaced=$2" -- "\${COMP_LINE:0:COMP_POINT}" 2> /dev/null < /dev/null)
  case $kind in
    :open) compopt -o nospace 2> /dev/null ;;
    :files) compopt -o default 2> /dev/null ;;
    :folders) compopt -o dirnames 2> /dev/null ;;
  esac
}
complete -F _roomctl roomctl
`
