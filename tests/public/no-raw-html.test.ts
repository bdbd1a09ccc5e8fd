// What the page's policy forbids is not to be written in the first place.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const files = globSync('public/**/*.ts')
const sinks =
  /\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|srcdoc|createContextualFragment|DOMParser)\b|execCommand\((?!'insertText')|document\.write|\beval\(|new Function\(/
/** markdown.ts makes the HTML; server.ts reads what the server's document has written, bookmarklet.ts another site's. */
const allowed = new Set([
  'public/ui/markdown/markdown.ts',
  'public/start/server.ts',
  'public/settings/sections/notes-section.ts',
])

const offenders = (pattern: RegExp, except = new Set<string>()) =>
  files.filter((file) => !except.has(file) && pattern.test(readFileSync(file, 'utf8')))

test('only markdown.ts turns text into HTML', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(offenders(sinks, allowed)).toEqual([])
})

test('nothing writes a style attribute or a cookie but the choices of the page', () => {
  // The editor sets how far a list is indented, in pixels that it has counted.
  const writers = new Set(['public/ui/dom.ts', 'public/page/edit/editor/draw-blocks.ts'])
  expect(offenders(/\bstyle:\s|setAttribute\(\s*'style'|\.cssText/, writers)).toEqual([])
  expect(offenders(/document\.cookie\s*=/, new Set(['public/app/prefs.ts']))).toEqual([])
})
