import { expect, test } from 'vitest'
import type { Health } from '../../../lib/contract/health.ts'
import type { LoadContext, ViewContext } from '../../../public/app/view.ts'
import { searchSection } from '../../../public/settings/sections/search-section.ts'
import { el } from '../../../public/ui/dom.ts'

type Embedding = NonNullable<Health['search']['embedding']>
const small: Embedding = {
  model: 'small',
  answering: true,
  done: 40,
  total: 40,
  failing: false,
  share: 0.2,
  measured: null,
}
const measured = { ndcg_words: 0.8123, ndcg_meaning: 0.8471, questions: 240, at: '2026-11-23T18:00:00Z' }

/** The section as it is written for a browser, without its tags. */
async function textOf(embedding: Embedding | null): Promise<string> {
  const search = { mode: 'hybrid', indexing: null, embedding }
  const context = { api: { get: async () => ({ search }) } } as unknown as LoadContext
  const section = await searchSection.open(context)
  const { outerHTML } = el('div', {}, section.render({} as ViewContext))
  return outerHTML.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

test('Settings show what meaning counts and what it brought', async () => {
  const text = await textOf({ ...small, share: 0.3, measured })

  expect(text).toContain(
    'Meaning counts 30 % of a score. Gain: nDCG@10 0.812 with words alone, 0.847 with meaning',
  )
  expect(text).toContain('240 questions from your titles and headings, 23 Nov 2026')
  expect(text).not.toContain('eval:search')
})

test('that it is off where it brought nothing', async () => {
  const text = await textOf({ ...small, share: 0, measured: { ...measured, ndcg_meaning: 0.8 } })

  expect(text).toContain('Search matches words; small is not used.')
  expect(text).toContain(
    'Meaning is off, as it brought no gain: nDCG@10 0.812 with words alone, 0.800 with meaning',
  )
})

test('and how to measure it where that was not done', async () => {
  expect(await textOf(small)).toContain(
    'was not measured. To let the evaluation choose the share, run npm run eval:search',
  )
  expect(await textOf(null)).not.toContain('Meaning')
})
