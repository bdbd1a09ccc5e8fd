import type { Health } from '../../../lib/contract/health.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'

export const searchSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ search: { mode, indexing, embedding } }) => [
    el(
      'div',
      { class: 'model-state' },
      el('span', { class: ['badge', mode === 'hybrid' && 'badge-green'] }, mode),
      el('p', {}, embedding ? semanticText(embedding) : lexicalText),
    ),
    embedding && el('p', {}, shareText(embedding)),
    embedding && !embedding.measured && el('p', { class: 'dim' }, measureHint()),
    embedding && progress('Embedded', embedding),
    embedding?.failing &&
      el(
        'p',
        { class: 'problem' },
        'The last request to the embedding provider failed. Void retries it; see the server log for the reason.',
      ),
    indexing && progress('Indexed', indexing),
    el(
      'p',
      { class: 'dim' },
      el('span', { class: 'badge', title: 'SEARCH_LANGUAGES, EMBEDDING_PROVIDER' }, 'Set by the server'),
      ' Languages and semantic search are part of its configuration.',
    ),
  ],
})

const lexicalText =
  'Search matches words: their forms, typos and exact phrases. No embedding provider is configured, so search does not match meaning, and no text leaves this machine.'

type Embedding = NonNullable<Health['search']['embedding']>

const percent = (share: number) => `${Math.round(share * 100)} %`

/** What meaning counts, and what it brought on the owner's notes. */
function shareText({ share, measured }: Embedding): string {
  if (!measured)
    return `Meaning counts ${percent(share)} of a score. Its gain on your notes was not measured.`
  const { ndcg_words, ndcg_meaning, questions, at } = measured
  const figures = `nDCG@10 ${ndcg_words.toFixed(3)} with words alone, ${ndcg_meaning.toFixed(3)} with meaning`
  const source = `${questions} questions from your titles and headings, ${at.slice(0, 10)}`
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
  el(
    'p',
    {},
    el(
      'label',
      {},
      `${what}: ${done} of ${total} `,
      el('progress', { value: done, max: Math.max(1, total) }),
    ),
  )
