import {expect, test} from 'vitest'
import {commandPrices, pricesFile} from '../../scripts/price.js'
import {readText, root} from '../support/repository.js'

test('no command has more lines of its own than its ceiling, which a commit raises with its reason', () => {
  const ceilings: Record<string, number> = JSON.parse(readText(pricesFile))
  const prices = commandPrices(root)
  expect([...prices.keys()].sort()).toEqual(Object.keys(ceilings).sort())
  const above = [...prices].filter(([command, lines]) => lines > (ceilings[command] ?? 0))
  expect(above).toEqual([])
})
