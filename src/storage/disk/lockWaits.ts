import {channel} from 'node:diagnostics_channel'

/** Publishes a sentence for each lock that a command has waited for for two seconds. */
export const lockWaits = channel('roomctl:lock-wait')
