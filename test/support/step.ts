/** A step that something waits for, until `go` is called. */
export function step() {
  let go: () => void = () => undefined
  const until = new Promise<void>((resolve) => {
    go = resolve
  })
  return {until, go}
}
