import { el } from '../dom.ts'
import type { Health } from './health.ts'
import { defineSection } from './section.ts'

export const searchSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ search: { mode, indexing, embedding } }) => [
    el(
      'div',
      { class: 'model-state' },
      el('span', { class: ['badge', mode === 'hybrid' && 'badge-green'] }, mode),
      el('p', {}, embedding ? meaningOf(embedding) : wordsOnly),
    ),
    embedding && progress('Embedded', embedding),
    embedding?.failing &&
      el(
        'p',
        { class: 'problem' },
        'The embedding provider failed when it was last asked; it is tried again. The server’s log says why.',
      ),
    indexing && progress('Indexed anew', indexing),
    el('h3', {}, 'Where it is set'),
    el(
      'p',
      { class: 'dim' },
      'In the environment of the server, or in the file ',
      el('code', {}, '.env'),
      ' beside it: ',
      el('code', {}, 'SEARCH_LANGUAGES'),
      ' for stems and stop words, ',
      el('code', {}, 'EMBEDDING_PROVIDER'),
      ' and its kin for meanings. After a change, start Void again.',
    ),
  ],
})

const wordsOnly =
  'Search goes by words: their forms, slips of the finger and exact phrases. With an embedding provider it would find meanings, too; none is set, and no text leaves this machine for search.'

const meaningOf = ({ model, answering }: NonNullable<Health['search']['embedding']>) =>
  answering
    ? `Search goes by words and by what ${model} makes of their meaning.`
    : `Search goes by words until ${model} has embedded everything.`

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
