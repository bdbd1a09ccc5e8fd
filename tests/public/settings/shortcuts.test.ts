// Settings → Keyboard lists the keys that the views add.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shortcuts } from '../../../public/settings/sections/shortcuts.ts'

const root = new URL('../../../public/', import.meta.url).pathname
const listed = new Set(shortcuts.flatMap(({ keys }) => keys.map(([key]) => key)))

test('every key that a view adds is in the list', () => {
  const added = globSync('**/*.ts', {
    cwd: root,
    exclude: ['page/edit/editor/**', 'settings/sections/shortcuts.ts'],
  })
    .map((file) => readFileSync(root + file, 'utf8'))
    .filter((text) => /keys\.add\(/.test(text))
    .flatMap((text) => [...text.matchAll(/\bkey: '((?:\\.|[^'\\])+)',\s*label:/g)].map(([, key]) => key!))

  expect(added.length).toBeGreaterThan(30)
  expect(
    [...new Set(added)].map((key) => key.replace('\\\\', '\\')).filter((key) => !listed.has(key)),
  ).toEqual([])
})
