// No documented command is left out: each is run, or in the table with the test that emulates it.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commandBlocks } from '../helpers/documented-commands.ts'
import { documents, emulated, metrics, ran, signIn } from './documented.ts'

test('every documented command is run or in the table', () => {
  const commands = documents.flatMap((file) => commandBlocks(file).flat())
  const unknown = commands.filter(
    (line) => !ran.includes(line) && !emulated.some(([part]) => line.includes(part)),
  )

  expect(commands.length).toBeGreaterThan(30)
  expect(unknown).toEqual([])
  expect(emulated.filter(([part]) => !commands.some((line) => line.includes(part)))).toEqual([])
  expect(emulated.filter(([, , by]) => !existsSync(by))).toEqual([])
  expect([signIn.length, metrics.length]).toEqual([1, 1])
})

test('guides have one name for the token of the owner and one for that of an agent', () => {
  const guides = readdirSync('docs/guide')
  const texts = ['README.md', ...guides.map((name) => `docs/guide/${name}`)].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const names = texts.flatMap((text) => text.match(/\b(?!DAILY_)(?:[A-Z]+_)*TOKEN\b/g) ?? [])

  expect([...new Set(names)].sort()).toEqual(['OWNER_TOKEN', 'VOID_TOKEN'])
})
