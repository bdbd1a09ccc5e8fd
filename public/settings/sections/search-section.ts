import type { Health } from '../../../lib/contract/health.ts'
import { dayText } from '../../../lib/core/schedule/day-text.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow, serverMark, valueRow } from '../parts/setting.ts'

export const searchSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ search: { mode, indexing, embedding } }) => [
    el(
      'div',
      {},
      hintedRow(
        'Finds',
        embedding ? semanticText(embedding) : lexicalText,
        el('span', { class: 'grow' }, mode === 'hybrid' ? 'Words and meaning' : 'Words'),
        serverMark('SEARCH_LANGUAGES, EMBEDDING_PROVIDER'),
      ),
      embedding &&
        hintedRow('Share of meaning', shareText(embedding), embedding.measured ? null : measureHint()),
      embedding && progress('Embedded', embedding),
      indexing && progress('Indexed', indexing),
    ),
    embedding?.failing &&
      el(
        'p',
        { class: 'problem' },
        'The last request to the embedding provider failed. Void retries it; see the server log for the reason.',
      ),
  ],
})

const lexicalText = 'Word forms, typos and exact phrases. No text leaves this machine.'

type Embedding = NonNullable<Health['search']['embedding']>

const percent = (share: number) => `${Math.round(share * 100)} %`

/** What meaning counts, and what it brought on the owner's notes. */
function shareText({ share, measured }: Embedding): string {
  if (!measured)
    return `Meaning counts ${percent(share)} of a score. Its gain on your notes was not measured.`
  const { ndcg_words, ndcg_meaning, questions, at } = measured
  const figures = `nDCG@10 ${ndcg_words.toFixed(3)} with words alone, ${ndcg_meaning.toFixed(3)} with meaning`
  const source = `${questions} questions from your titles and headings, ${dayText(at.slice(0, 10))}`
  return share > 0
    ? `Meaning counts ${percent(share)} of a score. Gain: ${figures} (${source}).`
    : `Meaning is off, as it brought no gain: ${figures} (${source}).`
}

const measureHint = () => [
  'To let the evaluation choose the share, run ',
  el('code', {}, 'npm run eval:search -- --own SPACE'),
  '.',
]

const semanticText = ({ model, answering, share }: Embedding) =>
  answering && share === 0
    ? `Search matches words; ${model} is not used.`
    : answering
      ? `Search matches words, and their meaning with ${model}.`
      : `Search matches words until ${model} has embedded everything.`

const progress = (what: string, { done, total }: { done: number; total: number }) =>
  valueRow(
    what,
    el('progress', { value: done, max: Math.max(1, total), 'aria-label': what }),
    `${done} of ${total}`,
  )
