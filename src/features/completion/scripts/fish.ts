/** Fish 3 and later, which escapes what it inserts by itself. */
export const fishScript = `# roomctl completion for fish. Made by: roomctl completion fish
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
complete -c roomctl -f -a '(__roomctl_complete)'
`
