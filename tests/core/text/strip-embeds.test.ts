import { describe, expect, test } from 'vitest'
import { stripEmbeds } from '../../../lib/core/text/split-note.ts'

describe('Markdown without embeds', () => {
  test.each([
    ['The lamp ![x](https://a.example/p_(1).png)burns.', 'The lamp burns.'],
    ['![[Chart#Tides]]See [[The lamp]].', 'See [[The lamp]].'],
    ['Lit <!-- or not --> every %% most %% night', 'Lit  every  night'],
    ['<b>Never</b> left<br/>dark', 'Never leftdark'],
    ['At <https://a.example/x>, 2 < 3 > 1', 'At https://a.example/x, 2 < 3 > 1'],
  ])('%j is %j', (markdown, stripped) => {
    expect(stripEmbeds(markdown)).toBe(stripped)
  })

  test('takes time in proportion to the text', () => {
    for (const piece of ['![', '![a](', '<!--', '%%', '<a', '![[']) {
      expect(stripEmbeds(piece.repeat(20_000)).length).toBeLessThanOrEqual(piece.length * 20_000)
    }
  })
})
