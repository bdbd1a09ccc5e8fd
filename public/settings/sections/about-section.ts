import { inBrowser } from '#platform'
import type { Health } from '../../../lib/contract/health.ts'
import type { App } from '../../app/app.ts'
import { clearStorage } from '../../app/storage/clear-storage.ts'
import { el } from '../../ui/dom.ts'
import { exactTime } from '../../ui/time.ts'
import { defineSection } from '../parts/section.ts'
import { valueRow } from '../parts/setting.ts'

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
      backup && valueRow('Last backup', backup.last_at ? exactTime(backup.last_at) : 'None yet'),
    ),
    backup?.failed_at &&
      el(
        'p',
        { class: 'problem' },
        `The nightly backup failed on ${exactTime(backup.failed_at)}. Void retries it every hour; see the server log for the reason.`,
      ),
    database.engine === 'pglite'
      ? el(
          'p',
          { class: 'dim' },
          'All data is in ',
          el('span', { title: 'DATA_DIR' }, 'the data folder'),
          ': the database, ',
          el('code', {}, 'owner-token'),
          ' and ',
          el('code', {}, 'secrets-key'),
          '. To back up, stop Void and copy that folder.',
        )
      : el(
          'p',
          { class: 'dim' },
          'All content is in ',
          el('span', { title: 'DATABASE_URL' }, 'the database that the server is set to'),
          '; back it up like any PostgreSQL database. Keep a copy of ',
          el('code', {}, 'secrets-key'),
          ' from the data folder, too: without it the stored secrets cannot be read.',
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
      { method: 'post', action: '/sign-out', onsubmit: (event: SubmitEvent) => signOut(app, event) },
      // Sent by the painted form alone, it would drop the notes that wait on this device.
      el('button', { class: 'button', type: 'submit', disabled: !inBrowser }, 'Sign out'),
    ),
  ],
})

async function signOut(app: App, event: SubmitEvent): Promise<void> {
  event.preventDefault()
  const form = event.target as HTMLFormElement
  const { beforeSignOut } = await import('../../features/capture/waiting-notes.ts')
  // Without asking this again.
  if (!(await beforeSignOut(app))) return
  clearStorage()
  form.submit()
}
