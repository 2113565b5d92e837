import * as z from 'zod/mini'
import {type LogForm, SharedLog} from '../../../../src/storage/log/log.js'

const shape = z.strictObject({id: z.string(), text: z.string()})
export type Line = z.output<typeof shape>
export const form: LogForm<Line> = {shape}

/** A log whose state is the list of its records. */
export class Listed {
  readonly log: SharedLog<Line>
  readonly #records: Line[] = []

  constructor(path: string) {
    const take = (line: Line) => this.#records.push(line) > 0
    const restart = () => this.#records.splice(0)
    this.log = new SharedLog(path, form, {take, restart})
  }

  get records(): readonly Line[] {
    this.log.read()
    return [...this.#records]
  }
}
