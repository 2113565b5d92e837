import {channel} from 'node:diagnostics_channel'

/** Told, in a sentence without a full stop, of each lock that a command has waited for for two seconds. */
export const lockWaits = channel('roomctl:lock-wait')
