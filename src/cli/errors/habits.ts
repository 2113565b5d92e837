/** A flag of another tool (gh, kubectl, aws), and what does the same here. The first row that fits the command counts. */
interface Habit {
  readonly typed: string
  /** A flag that the command has; every command without it. */
  readonly has?: string
  readonly of?: string
  /** A sentence. */
  readonly try: string
}

const usesQuery = 'use --query, with an expression of JMESPath'

const habits: readonly Habit[] = [
  {typed: '--force -f', has: 'yes', try: 'use --yes'},
  {typed: '--force -f', has: 'overwrite', try: 'use --overwrite'},
  {typed: '--yes -y', try: 'leave it out: nothing is asked'},
  {typed: '--jq --template', try: usesQuery},
  {typed: '--fields', has: 'columns', try: 'use --columns'},
  {typed: '--fields', try: usesQuery},
  {typed: '--format', try: 'use --output'},
  {typed: '--search --name --filter --selector -l', has: 'match', try: "use --match, as in --match 'test-*'"},
  {typed: '--jobs --parallel -j', has: 'concurrency', try: 'use --concurrency'},
  {typed: '--verbose -v', try: 'use --debug'},
  {typed: '--to', has: 'recipients-from', try: 'name the users as arguments, without --to'},
  {typed: '--at', has: 'recipients-from', try: 'to send to all users at a time, use push broadcast, which takes --at'},
  {typed: '--title -t', of: 'room create', try: 'the name is an argument, without a flag'},
  {typed: '-t', has: 'title', try: 'use --title'},
  {typed: '--message -m', has: 'body', try: 'use --body'},
  {typed: '--message -m', of: 'room send', try: 'the data is an argument after the room, without a flag'},
  {typed: '--failed', has: 'outcome', try: 'use --outcome failed'},
  {typed: '--all -A', has: 'limit', try: 'leave it out: without --limit all are shown'},
  {typed: '--all -A', has: 'match', try: "use --match '*', which selects all rooms"},
  {typed: '-w --follow', has: 'match', try: 'to follow changes of rooms, use room watch'},
  {typed: '-n -L', has: 'limit', try: 'use --limit'},
  {typed: '-n -A --namespace --context --region', try: 'use --profile, which names a deployment'},
]

/** `typed`: the flag with its dashes; `known`: the names of the command's flags. */
export function habitOf(typed: string, known: readonly string[], command: string | undefined): string | undefined {
  const fits = ({has, of}: Habit) => (has === undefined || known.includes(has)) && (of === undefined || of === command)
  return habits.find((habit) => habit.typed.split(' ').includes(typed) && fits(habit))?.try
}
