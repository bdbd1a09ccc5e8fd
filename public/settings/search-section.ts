import type { Health } from '../../lib/contract/health.ts'
import { el } from '../dom.ts'
import { defineSection } from './section.ts'

export const searchSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ search: { mode, indexing, embedding } }) => [
    el(
      'div',
      { class: 'model-state' },
      el('span', { class: ['badge', mode === 'hybrid' && 'badge-green'] }, mode),
      el('p', {}, embedding ? semanticText(embedding) : lexicalText),
    ),
    embedding && progress('Embedded', embedding),
    embedding?.failing &&
      el(
        'p',
        { class: 'problem' },
        'The last request to the embedding provider failed. Void retries it; see the server log for the reason.',
      ),
    indexing && progress('Indexed', indexing),
    el('h3', {}, 'Configured in'),
    el(
      'p',
      { class: 'dim' },
      'The environment of the server, or the file ',
      el('code', {}, '.env'),
      ' next to it: ',
      el('code', {}, 'SEARCH_LANGUAGES'),
      ' for stems and stop words, ',
      el('code', {}, 'EMBEDDING_PROVIDER'),
      ' and its options for semantic search. Restart Void after a change.',
    ),
  ],
})

const lexicalText =
  'Search matches words: their forms, typos and exact phrases. No embedding provider is configured, so search does not match meaning, and no text leaves this machine.'

const semanticText = ({ model, answering }: NonNullable<Health['search']['embedding']>) =>
  answering
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
