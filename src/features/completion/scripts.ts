export const completionShells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof completionShells)[number]

/** Bash 3.2 and later. Passes the line up to the cursor and what readline will replace; gets quoted text to insert. */
const bashScript = `# roomctl completion for bash. Made by: roomctl completion bash
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
    :words) compopt -o nosort 2> /dev/null ;;
    :open) compopt -o nospace 2> /dev/null ;;
    :files) compopt -o default 2> /dev/null ;;
    :folders) compopt -o dirnames 2> /dev/null ;;
  esac
}
complete -F _roomctl roomctl
`

/** Zsh 5. Passes unquoted words; compadd quotes the candidates. */
const zshScript = `#compdef roomctl
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

/** Fish 3 and later, which escapes what it inserts. */
const fishScript = `# roomctl completion for fish. Made by: roomctl completion fish
function __roomctl_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command roomctl complete --shell fish -- $words[2..] "$current" 2>/dev/null </dev/null)
    test (count $answer) -gt 0; or return
    switch "$answer[1]"
        case ':files' ':folders'
            set -l lead (string match -r -- '^--[^=]*=' $current)
            set -l rest (string replace -r -- '^--[^=]*=' '' $current)
            set -l found
            if test "$answer[1]" = ':files'
                set found (__fish_complete_path $rest)
            else
                set found (__fish_complete_directories $rest)
            end
            for one in $found
                printf '%s\\n' "$lead$one"
            end
        case '*'
            for one in $answer[2..]
                printf '%s\\n' $one
            end
    end
end
complete -c roomctl -f -k -a '(__roomctl_complete)'
`

/**
 * PowerShell 5.1 and later. Passes \`x\` and the bytes of each word in hexadecimal: some versions lose empty words and quotes.
 * Candidates with special characters are single-quoted. Windows PowerShell 5.1 does not complete a lone \`-\` or \`--\`
 * (PowerShell issue 2912).
 */
const powershellScript = `# roomctl completion for PowerShell. Made by: roomctl completion powershell
Register-ArgumentCompleter -Native -CommandName roomctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $utf8 = [System.Text.Encoding]::UTF8
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  $typed = $wordToComplete -replace "^['\`"]", ''
  $hex = @(@($words | Select-Object -Skip 1) + $typed | ForEach-Object {
      'x' + [System.BitConverter]::ToString($utf8.GetBytes([string]$_)).Replace('-', '')
    })
  $before = [Console]::OutputEncoding
  try {
    [Console]::OutputEncoding = $utf8
    $answer = @(& roomctl complete --shell powershell $hex 2> $null)
  } catch {
    $answer = @()
  } finally {
    [Console]::OutputEncoding = $before
  }
  $answer | Select-Object -Skip 1 | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    $text = $value
    if ($value -notmatch '^[\\w./:=+-]+$') { $text = "'" + ($value -replace "['\\u2018-\\u201b]", '$0$0') + "'" }
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
  }
}
`

export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
}
