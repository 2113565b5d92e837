import {twoDigits} from './time.js'

const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** A number of bytes for people, in powers of 1024: `512 B`, `12.3 MiB`. */
export function fileSize(bytes: number): string {
  if (Math.abs(bytes) < 1024) return `${bytes} B`
  let size = bytes / 1024
  let unit = 0
  // 1023.95 would be rounded to 1024.0.
  while (Math.abs(size) >= 1023.95 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${size.toFixed(1)} ${units[unit]}`
}

/** A number of nanoseconds for people: `1h 02m 03s`, `2m 03s`, `3s`, `350ms`. The service measures recordings in them (room, Recording file entry). */
export function nanoseconds(duration: number): string {
  if (duration < 0) return `-${nanoseconds(-duration)}`
  if (duration < 1e9) return `${Math.floor(duration / 1e6)}ms`
  const seconds = Math.floor(duration / 1e9)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  if (hours > 0) return `${hours}h ${twoDigits(minutes)}m ${twoDigits(seconds % 60)}s`
  if (minutes > 0) return `${minutes}m ${twoDigits(seconds % 60)}s`
  return `${seconds}s`
}
