import { inBrowser } from '#platform'
import type { Health } from '../../../lib/contract/health.ts'
import type { App } from '../../app/app.ts'
import { clearStorage } from '../../app/storage/clear-storage.ts'
import { type Child, el } from '../../ui/dom.ts'
import { exactTime } from '../../ui/time.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow, serverMark, valueRow } from '../parts/setting.ts'

export const aboutSection = defineSection<Health>({
  load: ({ api }) => api.get('/health'),
  render: ({ version, database, model, backup }, { app }) => [
    el(
      'div',
      {},
      valueRow('Version', version),
      valueRow(
        'Database',
        database.engine === 'pglite' ? 'PGlite, embedded in this process' : 'PostgreSQL server',
        database.reachable ? '' : ' (unreachable)',
      ),
      valueRow('Model', model.mode === 'offline' ? 'None' : model.name),
      backup &&
        valueRow(
          'Last backup',
          el(
            'span',
            { class: 'grow' },
            backup.last_at ? exactTime(backup.last_at) : 'None yet',
            backup.failed_at && [
              ' ',
              el(
                'span',
                { class: 'problem' },
                `The nightly backup failed on ${exactTime(backup.failed_at)}. Void retries it every hour; see the server log for the reason.`,
              ),
            ],
          ),
        ),
      database.engine === 'pglite' ? renderDataFolder() : renderDataServer(),
      hintedRow(
        'API description',
        'OpenAPI',
        el(
          'a',
          { href: '/api/openapi.json', target: '_blank', rel: 'noopener noreferrer' },
          '/api/openapi.json',
        ),
      ),
      valueRow(
        'This browser',
        el(
          'form',
          { method: 'post', action: '/sign-out', onsubmit: (event: SubmitEvent) => signOut(app, event) },
          // Sent by the painted form alone, it would drop the notes that wait on this device.
          el('button', { class: 'button button-small', type: 'submit', disabled: !inBrowser }, 'Sign out'),
        ),
      ),
    ),
  ],
})

const renderDataFolder = (): Child =>
  hintedRow(
    'Data',
    'To back up, stop Void and copy the folder',
    el(
      'span',
      { class: 'grow' },
      'The data folder: the database, ',
      el('code', {}, 'owner-token'),
      ' and ',
      el('code', {}, 'secrets-key'),
    ),
    serverMark('DATA_DIR'),
  )

const renderDataServer = (): Child => [
  hintedRow(
    'Data',
    'Back it up like any PostgreSQL database',
    el('span', { class: 'grow' }, 'All content is in the database'),
    serverMark('DATABASE_URL'),
  ),
  hintedRow(
    'Secrets key',
    'Keep a copy: without it the stored secrets cannot be read',
    el('span', { class: 'grow' }, el('code', {}, 'secrets-key'), ' in the data folder'),
    serverMark('DATA_DIR'),
  ),
]

async function signOut(app: App, event: SubmitEvent): Promise<void> {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  const { beforeSignOut } = await import('../../features/capture/waiting-notes.ts')
  // Without asking this again.
  if (!(await beforeSignOut(app))) return
  clearStorage()
  form.submit()
}
