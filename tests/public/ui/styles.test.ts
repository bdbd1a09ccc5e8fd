// Type, colour and corners come from tokens.css; no style names a value of its own.

import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../public/ui/styles/', import.meta.url).pathname
const sheets = globSync('**/*.css', { cwd: root })
  .filter((name) => name !== 'tokens.css')
  .map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))

/** Every declaration of a property, as `file: value`. */
const valuesOf = (property: RegExp) =>
  sheets.flatMap(({ name, text }) =>
    [...text.matchAll(new RegExp(`^\\s*${property.source}:\\s*([^;]+);`, 'gm'))].map(
      ([, value]) => `${name}: ${value}`,
    ),
  )
const others = (property: RegExp, allowed: RegExp) =>
  valuesOf(property).filter((value) => !allowed.test(value.replace(/^[\w./-]+: /, '')))

describe('the styles', () => {
  test('are read', () => {
    expect(sheets.length).toBeGreaterThan(50)
    expect(valuesOf(/font-size/).length).toBeGreaterThan(100)
  })

  test('use five sizes of type', () => {
    expect(others(/font-size/, /^(?:var\(--t(?:12|14|16|20|28)\)|inherit|0)$/)).toEqual([])
    expect(
      others(/font/, /^(?:inherit|(?:600 )?var\(--t\d\d\) \/ [\d.px]+ var\(--(?:sans|mono)\))$/),
    ).toEqual([])
  })

  test('use three weights', () => {
    expect(others(/font-weight/, /^(?:400|500|600|inherit|normal)$/)).toEqual([])
  })

  test('use three radii', () => {
    expect(others(/border-radius/, /^(?:(?:var\(--r(?:3|6|12)\)|50%|0|inherit) ?)+$/)).toEqual([])
  })

  test('name no colour: it would have one theme', () => {
    const named = sheets.flatMap(({ name, text }) =>
      [...text.matchAll(/oklch\([\d.]|#[0-9a-f]{3,8}\b(?=[;\s)])|rgba?\(|hsl\(/g)].map(
        ([found]) => `${name}: ${found}`,
      ),
    )
    expect(named).toEqual([])
  })

  test('use no token that is not there', () => {
    const tokens = readFileSync(`${root}tokens.css`, 'utf8')
    const own = new Set(
      [tokens, ...sheets.map(({ text }) => text)].flatMap((text) =>
        [...text.matchAll(/(--[a-z][a-z0-9-]*)\s*:/g)].map(([, name]) => name!),
      ),
    )
    const used = sheets.flatMap(({ name, text }) =>
      [...text.matchAll(/var\((--[a-z][a-z0-9-]*)/g)].map(([, token]) => ({ name, token: token! })),
    )
    // Set by script, with a fallback beside each use.
    const byScript = ['--top', '--left', '--toasts', '--toasts-start', '--toasts-size', '--toasts-end']
    expect(used.filter(({ token }) => !own.has(token) && !byScript.includes(token))).toEqual([])
  })
})
