import {describe, expect, test} from 'vitest'
import {colorLevel} from '../../../src/terminal/output.js'

const terminal = {isTTY: true}
const pipe = {isTTY: false}

describe('the colour level of a stream', () => {
  test('follows the terminal when nothing is set', () => {
    expect(colorLevel(terminal, {env: {TERM: 'xterm'}})).toBe(1)
    expect(colorLevel(terminal, {env: {TERM: 'xterm-256color'}})).toBe(2)
    expect(colorLevel(terminal, {env: {COLORTERM: 'truecolor'}})).toBe(3)
    expect(colorLevel(pipe, {env: {COLORTERM: 'truecolor'}})).toBe(0)
  })

  test('obeys --color before everything else', () => {
    expect(colorLevel(pipe, {flag: 'always', env: {NO_COLOR: '1', TERM: 'dumb'}})).toBe(1)
    expect(colorLevel(terminal, {flag: 'never', env: {FORCE_COLOR: '3', CLICOLOR_FORCE: '1'}})).toBe(0)
    expect(colorLevel(pipe, {flag: 'auto', env: {}})).toBe(0)
  })

  test('obeys NO_COLOR before FORCE_COLOR, unless it is empty', () => {
    expect(colorLevel(terminal, {env: {NO_COLOR: '1', FORCE_COLOR: '3'}})).toBe(0)
    expect(colorLevel(pipe, {env: {NO_COLOR: '', FORCE_COLOR: '3'}})).toBe(3)
  })

  test.each([
    ['0', 0],
    ['false', 0],
    ['1', 1],
    ['2', 2],
    ['3', 3],
    ['true', 1],
  ])('takes FORCE_COLOR=%s for level %i, on a pipe too', (value, level) => {
    expect(colorLevel(pipe, {env: {FORCE_COLOR: value, CLICOLOR: '0'}})).toBe(level)
  })

  test('obeys CLICOLOR_FORCE before CLICOLOR and TERM', () => {
    expect(colorLevel(pipe, {env: {CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb'}})).toBe(1)
    expect(colorLevel(pipe, {env: {CLICOLOR_FORCE: '0'}})).toBe(0)
  })

  test('shows no colour on a terminal with CLICOLOR=0 or TERM=dumb', () => {
    expect(colorLevel(terminal, {env: {CLICOLOR: '0'}})).toBe(0)
    expect(colorLevel(terminal, {env: {TERM: 'dumb', COLORTERM: 'truecolor'}})).toBe(0)
  })
})
