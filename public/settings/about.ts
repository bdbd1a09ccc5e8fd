import { el } from '../dom.ts'
import type { Health } from './health.ts'
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
        database.reachable ? '' : ' (cannot be reached just now)',
      ),
      fact('Answers', model.mode === 'offline' ? 'the offline companion' : model.name),
    ),
    database.engine === 'pglite'
      ? el(
          'p',
          { class: 'dim' },
          'Everything is in the data folder (',
          el('code', {}, './data'),
          ', or what ',
          el('code', {}, 'DATA_DIR'),
          ' says): the database and the file ',
          el('code', {}, 'owner-token'),
          '. Copy that folder while Void is stopped, and you have a backup.',
        )
      : el(
          'p',
          { class: 'dim' },
          'The content is in the database that ',
          el('code', {}, 'DATABASE_URL'),
          ' names; back it up as you back up PostgreSQL. The file ',
          el('code', {}, 'owner-token'),
          ' is in the data folder.',
        ),
    el(
      'p',
      {},
      'The API of this server is described at ',
      el(
        'a',
        { href: '/api/openapi.json', target: '_blank', rel: 'noopener noreferrer' },
        '/api/openapi.json',
      ),
      '.',
    ),
    el(
      'form',
      { method: 'post', action: '/sign-out' },
      el('button', { class: 'button', type: 'submit' }, 'Sign out of this browser'),
    ),
  ],
})

const fact = (name: string, ...words: string[]) =>
  el('div', {}, el('dt', {}, name), el('dd', {}, words.join('')))
