/**
 * Bounds the memory of a run of many calls or files. By default V8 lets the young part of the heap grow, and collects the old part
 * only at four times its size, so that 10,000 calls take 30 MiB more than 1,000, nearly all of it garbage. A heap that has grown
 * does not shrink.
 */
export async function fixHeapSize(): Promise<void> {
  const {setFlagsFromString} = await import('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
