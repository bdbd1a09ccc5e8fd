// The promises of the page on security: each paragraph has tests that hold it, and they are there.

import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = await readFile(new URL('docs/security.md', root), 'utf8')
const promised = [...sectionOf('How').matchAll(/^- \*\*(.+?)\.\*\*/gm)].map(([, name]) => name!)
const rows = [...sectionOf('Which test holds it').matchAll(/^\| (.+?) \| .+ \| (`tests\/.+`) \|$/gm)]

test('each paragraph has a test, and no row is of another one', () => {
  const held = rows.map(([, name]) => name!)

  expect(promised.length).toBeGreaterThan(25)
  expect([...new Set(held)]).toEqual(promised)
})

test('every test that the page names is a file', async () => {
  const named = new Set([...text.matchAll(/`(tests\/[^`]+\.test\.ts)`/g)].map(([, path]) => path!))
  const missing: string[] = []

  for (const path of named) await stat(new URL(path, root)).catch(() => missing.push(path))

  expect(missing).toEqual([])
  expect(named.size).toBeGreaterThan(80)
})

/** The text under a heading of the second level. */
function sectionOf(heading: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
}
