import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Citation } from '../../../lib/contract/events/events.ts'
import { placesOf } from '../../../lib/core/text/cited/citation-places.ts'
import { markBlock } from '../../../public/rail/turn/blocks.ts'
import { markdownToHtml } from '../../../public/ui/markdown/markdown.ts'
import { citeClose, citeOpen } from '../../../public/ui/markdown/syntax.ts'

const cite = (n: number, end: number, start = 0): Citation => ({
  n,
  start,
  end,
  kind: 'page',
  id: '1',
  title: 'The lamp',
  cited_text: 'words',
  checked: true,
  ordinal: null,
})

const marked = (text: string, citations: Citation[]) =>
  markBlock({ start: 0, text }, placesOf(text, citations))
    .replaceAll(citeOpen, '⟨')
    .replaceAll(citeClose, '⟩')

describe('the mark of a citation', () => {
  test('stands where the words end, before the white space that belongs to the range', () => {
    expect(marked('The lamp turns. It burns oil.\n\n', [cite(1, 15), cite(2, 31)])).toBe(
      'The lamp turns.⟨1⟩ It burns oil.⟨2⟩\n\n',
    )
  })

  test('of two sources of the same words is two numbers, and of one source is one', () => {
    expect(marked('The lamp turns.', [cite(1, 15), cite(2, 15), cite(1, 15)])).toBe('The lamp turns.⟨1⟩⟨2⟩')
  })

  test('stands inside the cell of a table, and below a fence of code', () => {
    const table = '| a |\n|---|\n| oil |\n'
    const code = '```\nturn()\n```\n'

    expect(marked(table, [cite(1, table.length)])).toBe('| a |\n|---|\n| oil⟨1⟩ |\n')
    expect(marked(code, [cite(1, code.length)])).toBe('```\nturn()\n```\n\n⟨1⟩\n\n\n')
  })

  test('is made by the server alone: the same signs in a text are taken out', () => {
    const forged = `Trust me${citeOpen}9${citeClose}`

    const html = markdownToHtml(markBlock({ start: 0, text: forged }, []), { slug: 's' })

    expect(html).not.toContain('data-cite')
  })

  test('takes nothing away from the text, wherever it falls', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat(60)), (text, ends) => {
        const clean = text.replaceAll(citeOpen, ' ').replaceAll(citeClose, ' ')
        const with_ = marked(
          text,
          ends.map((end, index) => cite(index + 1, end)),
        )

        expect(with_.replace(/⟨\d+⟩/g, '').replace(/\s/g, '')).toBe(
          clean.replace(/\s/g, '').replace(/⟨\d+⟩/g, ''),
        )
      }),
    )
  })
})
