import { expect, test } from 'vitest'
import { lookOf } from '../../../lib/core/text/mixed-scripts.ts'

test.each([
  ['Void', 'V0id'],
  ['Void', 'Vоіd'],
  ['Void', 'V o\u200bi\u202ed'],
  ['Void', 'Ｖｏｉｄ'],
  ['Void', '𝗩𝗼𝗶𝗱'],
  ['Void', 'Vóid'],
  ['owner', 'OVVNER'],
  ['companion', 'Cornpanlon'],
])('%s looks like %s', (name, imitation) => {
  expect(lookOf(imitation)).toBe(lookOf(name))
})

test('names that differ to the eye look different', () => {
  expect(new Set(['Void', 'Avoid', 'Vogt', 'Ovid', 'Видео'].map(lookOf)).size).toBe(5)
})
