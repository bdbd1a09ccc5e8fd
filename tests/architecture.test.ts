// The shape of the house, read off the import lines: what may know what.

import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

type Source = { file: string; text: string; imports: string[] }

async function readSources(folder: string): Promise<Source[]> {
  const names = await readdir(new URL(`${folder}/`, root), { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`)
  return await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, root), 'utf8')
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)
      return { file, text, imports: specifiers.map((name) => resolveName(file, name)) }
    }),
  )
}

const resolveName = (file: string, name: string) =>
  name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), name)) : name

const lib = await readSources('lib')

const importersOf = (pattern: RegExp) =>
  lib.filter(({ imports }) => imports.some((name) => pattern.test(name))).map(({ file }) => file)

test('the import lines are really read', () => {
  expect(lib.length).toBeGreaterThan(80)
  expect(importersOf(/^lib\/db\/pool\.ts$/).length).toBeGreaterThan(10)
})

test('only lib/ai/anthropic.ts and what it is made of know the SDK', () => {
  const files = importersOf(/^@anthropic-ai\/sdk/)

  expect(files.filter((file) => !/^lib\/ai\/[^/]+\.ts$/.test(file))).toEqual([])
})

test('only the API, the shell and the app know Express', () => {
  const files = importersOf(/^(express|helmet|pino-http|express-rate-limit)$/)

  expect(files.filter((file) => !/^lib\/(api|web)\/|^lib\/app\.ts$/.test(file))).toEqual([])
})

test('nothing below the API and the companion imports them, but for the list of parts', () => {
  const upper = /^lib\/(api|web|companion)\//
  const composing =
    /^lib\/(assemble|main|app)\.ts$|^lib\/import\/(welcome|cli)\.ts$|^lib\/maintenance\/start\.ts$|^lib\/live\/announce\.ts$/
  const files = importersOf(upper).filter((file) => !upper.test(file) && !composing.test(file))

  expect(files).toEqual([])
})

test('the database knows nothing of the domain but its types', () => {
  const offending = lib
    .filter(({ file }) => file.startsWith('lib/db/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^import (?!type\b)[^\n]*'\.\.\/\.\.\/(?!text\/|auth\/actor|errors)([^']+)'/gm)].map(
        (match) => `${file} → ${match[1]}`,
      ),
    )

  expect(offending).toEqual([])
})

test('all SQL lives under lib/db', () => {
  const statement = /\b(select\s+[\w*,\s(]+\s+from\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s)/i
  const files = lib.filter(
    ({ file, text }) => !file.startsWith('lib/db/') && statement.test(withoutComments(text)),
  )

  expect(files.map(({ file }) => file)).toEqual([])
})

test('the environment is read in config.ts, and in secret.ts for keys that are references', () => {
  const files = lib
    .filter(({ text }) => withoutComments(text).includes('process.env'))
    .map(({ file }) => file)

  expect(files.toSorted()).toEqual(['lib/ai/secret.ts', 'lib/config.ts'])
})

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
