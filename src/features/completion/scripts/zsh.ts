/** Zsh 5. The words go out without their quoting; compadd quotes what comes back, and expands nothing of it. */
export const zshScript = `#compdef roomctl
# roomctl completion for zsh. Made by: roomctl completion zsh
_roomctl() {
  local line kind= tab=$'\\t'
  local -a values shown typed options
  typed=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
    else
      values+=("\${line%%$tab*}")
      shown+=("\${line/$tab/  -- }")
    fi
  done < <(command roomctl complete --shell zsh -- "\${typed[@]}" 2> /dev/null < /dev/null)
  case $kind in
    :open) options=(-S '') ;;
    :files | :folders)
      [[ $PREFIX == --*=* ]] && compset -P 1 '*='
      if [[ $kind == :files ]]; then _files; else _files -/; fi
      return
      ;;
  esac
  (( \${#values} )) && compadd -V roomctl -l -d shown "\${options[@]}" -a -- values
}
if [[ $funcstack[1] == _roomctl ]]; then
  _roomctl "$@"
elif (( $+functions[compdef] )); then
  compdef _roomctl roomctl
fi
`
