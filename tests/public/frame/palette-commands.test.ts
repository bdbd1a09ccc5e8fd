// The commands of the palette, found by what people call them and with a typing error.

import { expect, test } from 'vitest'
import type { App } from '../../../public/app/app.ts'
import { commandEntries } from '../../../public/frame/palette/entries.ts'

const space = { id: 'space-1', slug: 'house', name: 'House' }
const keys = [
  { key: 'Mod+/', label: 'Toggle Markdown source', group: 'This page', run: () => {} },
  { key: 'Mod+s', label: 'Save now', group: 'This page', within: {}, run: () => {} },
  { key: '\\', label: 'Toggle split view', group: 'Tabs', run: () => {} },
]
const app = {
  keys: { list: () => keys },
  state: { get: () => ({ space, spaces: [space] }) },
  prefs: { get: () => ({ railOpen: true }) },
} as unknown as App

const found = (query: string) => commandEntries(app, query).map(({ key }) => key)

test.each([
  ['import', 'Import notes'],
  ['obsidian', 'Import notes'],
  ['imprt', 'Import notes'],
  ['backup', 'Export'],
  ['new space', 'New Space'],
  ['api key', 'Connect a model'],
  ['mcp', 'Connect an agent'],
  ['email', 'Connect mail'],
  ['dark', 'Toggle dark theme'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['hotkeys', 'Keyboard shortcuts'],
  ['budget', 'Usage'],
  ['split', 'Toggle split view'],
  ['source', 'Toggle Markdown source'],
  ['pasword', 'Passkeys and sessions'],
])('“%s” finds %s', (query, label) => {
  expect(found(query)).toContain(label)
})

test('a key of the view is a command of the same name, once, unless it works only within a part', () => {
  expect(found('toggle')).toEqual(['Toggle dark theme', 'Toggle split view', 'Toggle Markdown source'])
  expect(found('save now')).toEqual([])
})

test('a short word is taken as it is, and an unknown one finds nothing', () => {
  expect(found('zz')).toEqual([])
  expect(found('quotation')).toEqual([])
})
