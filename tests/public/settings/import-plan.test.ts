import { expect, test } from 'vitest'
import { slugOf } from '../../../lib/core/text/slug.ts'
import { batchFiles, looseSource, planImport } from '../../../public/settings/import/import-plan.ts'

const file = (path: string, size = 10) => ({ path, file: { size } })
const pathsOf = (files: { path: string }[]) => files.map(({ path }) => path)

test('one folder is known by its name, and its files by where they are below it', () => {
  const plan = planImport([file('Notes/Boats/Petrel.md'), file('Notes/Index.md')])

  expect(plan).toMatchObject({ source: 'Notes', folder: 'Notes', hidden: 0 })
  expect(pathsOf(plan.files)).toEqual(['Index.md', 'Boats/Petrel.md'])
})

test('loose files, or several folders at once, share one name', () => {
  expect(planImport([file('a.md')]).source).toBe(looseSource)
  expect(planImport([file('A/a.md'), file('B/b.md')])).toMatchObject({ source: looseSource, folder: null })
})

test('hidden files stay out', () => {
  const plan = planImport([file('N/.obsidian/plugins.json'), file('N/a.md'), file('N/Thumbs.db')])

  expect(pathsOf(plan.files)).toEqual(['a.md'])
  expect(plan.hidden).toBe(2)
})

test('settings that say how a vault shows its texts go along', () => {
  const plan = planImport([file('N/.obsidian/app.json'), file('N/a.md')])

  expect(pathsOf(plan.files)).toEqual(['a.md', '.obsidian/app.json'])
})

test('no call carries too many files or too many bytes, and none is left out', () => {
  const files = [...Array.from({ length: 95 }, (_, n) => file(`${n}.md`)), file('big', 9e6), file('small')]

  const calls = batchFiles(files)

  expect(calls.flat()).toEqual(files)
  expect(calls.map((call) => call.length)).toEqual([40, 40, 15, 1, 1])
})

test('an agent’s slug is made from its name', () => {
  expect(slugOf('  Größer & Söhne: Bot 2 ', 80)).toBe('grosser-sohne-bot-2')
  expect(slugOf('東京', 80)).toBe('')
  expect(slugOf('harbour office', 8)).toBe('harbour')
})
