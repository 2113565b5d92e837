import {describe, expect, test} from 'vitest'
import {hasColor} from '../../../src/terminal/output.js'

const terminal = {isTTY: true}
const pipe = {isTTY: false}

describe('the colour of a stream', () => {
  test('follows the terminal when nothing is set', () => {
    expect(hasColor(terminal, {env: {TERM: 'xterm'}})).toBe(true)
    expect(hasColor(pipe, {env: {TERM: 'xterm'}})).toBe(false)
  })

  test('obeys --color before everything else', () => {
    expect(hasColor(pipe, {flag: 'always', env: {NO_COLOR: '1', TERM: 'dumb'}})).toBe(true)
    expect(hasColor(terminal, {flag: 'never', env: {FORCE_COLOR: '3', CLICOLOR_FORCE: '1'}})).toBe(false)
    expect(hasColor(pipe, {flag: 'auto', env: {}})).toBe(false)
  })

  test('obeys NO_COLOR before FORCE_COLOR, unless it is empty', () => {
    expect(hasColor(terminal, {env: {NO_COLOR: '1', FORCE_COLOR: '3'}})).toBe(false)
    expect(hasColor(pipe, {env: {NO_COLOR: '', FORCE_COLOR: '3'}})).toBe(true)
  })

  test.each([
    ['0', false],
    ['false', false],
    ['1', true],
    ['3', true],
    ['true', true],
  ])('takes FORCE_COLOR=%s for %s, on a pipe too', (value, expected) => {
    expect(hasColor(pipe, {env: {FORCE_COLOR: value, CLICOLOR: '0'}})).toBe(expected)
  })

  test('obeys CLICOLOR_FORCE before CLICOLOR and TERM', () => {
    expect(hasColor(pipe, {env: {CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb'}})).toBe(true)
    expect(hasColor(pipe, {env: {CLICOLOR_FORCE: '0'}})).toBe(false)
  })

  test('shows no colour on a terminal with CLICOLOR=0 or TERM=dumb', () => {
    expect(hasColor(terminal, {env: {CLICOLOR: '0'}})).toBe(false)
    expect(hasColor(terminal, {env: {TERM: 'dumb'}})).toBe(false)
  })
})
