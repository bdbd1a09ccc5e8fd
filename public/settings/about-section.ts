import type { Health } from '../../lib/contract/health.ts'
import { el } from '../dom.ts'
import { defineSection } from './section.ts'

export const aboutSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ version, database, model }) => [
    el(
      'dl',
      { class: 'facts' },
      fact('Version', version),
      fact(
        'Database',
        database.engine === 'pglite' ? 'PGlite, embedded in this process' : 'PostgreSQL server',
        database.reachable ? '' : ' (unreachable)',
      ),
      fact('Model', model.mode === 'offline' ? 'Offline' : model.name),
    ),
    database.engine === 'pglite'
      ? el(
          'p',
          { class: 'dim' },
          'All data is in the data folder (',
          el('code', {}, './data'),
          ', or as set by ',
          el('code', {}, 'DATA_DIR'),
          '): the database and the file ',
          el('code', {}, 'owner-token'),
          '. To back up, stop Void and copy that folder.',
        )
      : el(
          'p',
          { class: 'dim' },
          'All content is in the database of ',
          el('code', {}, 'DATABASE_URL'),
          '; back it up like any PostgreSQL database. The file ',
          el('code', {}, 'owner-token'),
          ' is in the data folder.',
        ),
    el(
      'p',
      {},
      'API description (OpenAPI): ',
      el(
        'a',
        { href: '/api/openapi.json', target: '_blank', rel: 'noopener noreferrer' },
        '/api/openapi.json',
      ),
    ),
    el(
      'form',
      { method: 'post', action: '/sign-out' },
      el('button', { class: 'button', type: 'submit' }, 'Sign out'),
    ),
  ],
})

const fact = (name: string, ...words: string[]) =>
  el('div', {}, el('dt', {}, name), el('dd', {}, words.join('')))
