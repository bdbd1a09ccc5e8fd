import { describe, expect, test } from 'vitest'
import { mimeName } from '../../../public/ui/words/mime-name.ts'

describe('the name of a media type', () => {
  test.each([
    ['text/plain', 'Text'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Word'],
    ['image/svg+xml', 'SVG'],
    ['audio/x-wav', 'WAV'],
    ['application/vnd.something.that-nobody-knows', 'File'],
  ])('%s is %s', (mime, name) => {
    expect(mimeName(mime)).toBe(name)
  })
})
