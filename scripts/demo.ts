import path from 'node:path'
import {day} from './demo/day.js'
import {play} from './demo/play.js'

// Plays one working day on the built binary: npm run demo.
const root = path.resolve(import.meta.dirname, '..')
const inColour = process.stdout.isTTY && !process.env.NO_COLOR
process.exitCode = await play(day, {root, inColour, print: (text) => console.log(text)})
