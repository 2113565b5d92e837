/**
 * PowerShell 5.1 and later. Each word goes out as \`x\` and its bytes in hexadecimal: some versions lose empty words and quotes on
 * the way to a program. What comes back is put between single quotes where it holds more than plain letters. Windows PowerShell 5.1
 * calls no completer behind a lone \`-\` or \`--\` (PowerShell issue 2912); nothing here can mend that.
 */
export const powershellScript = `# roomctl completion for PowerShell. Made by: roomctl completion powershell
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
