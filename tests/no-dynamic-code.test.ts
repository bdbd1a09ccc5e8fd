// No text becomes code: nothing evaluates one, and nothing hands one to a shell.

import { expect, test } from 'vitest'
import { readModules } from './helpers/read-modules.ts'

const modules = await readModules(['lib', 'public'])

/** The files in which a pattern occurs. */
const filesWith = (pattern: RegExp) =>
  modules.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('nothing evaluates a text', () => {
  expect(modules.length).toBeGreaterThan(500)
  expect(filesWith(/\beval\(|new Function\(|setTimeout\(\s*['"`]|['"]node:vm['"]/)).toEqual([])
})

const starting = [
  'lib/auth/secrets/password-manager.ts',
  // Makes a new embedded store.
  'lib/db/open-store.ts',
  'lib/ops/maintenance/nightly-backup.ts',
  // Asks once whether bubblewrap works here.
  'lib/outside/sources/sandbox/sandbox.ts',
]

test('four places start another program, by its name and a list of arguments', () => {
  expect(filesWith(/['"](?:node:)?child_process['"]/)).toEqual(starting)
  expect(filesWith(/import \{ execFile \} from 'node:child_process'/)).toEqual(starting)
  expect(filesWith(/\bshell: /)).toEqual([])
})

test('no certificate goes unchecked', () => {
  expect(filesWith(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([])
})

test('nothing reads a serialized object but as JSON or YAML', () => {
  // Of V8 only its switches are used.
  expect(filesWith(/(?<!import \{ setFlagsFromString \} from )['"]node:v8['"]|\bdeserialize\(/)).toEqual([])
})
