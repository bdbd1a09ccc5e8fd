import { expect, test } from 'vitest'
import type { Health } from '../../../lib/contract/health.ts'
import type { LoadContext, ViewContext } from '../../../public/app/view.ts'
import { aboutSection } from '../../../public/settings/sections/about-section.ts'
import { el } from '../../../public/ui/dom.ts'

/** The section as it is written for a browser, without its tags. */
async function textOf(backup: Health['backup']): Promise<string> {
  const health = {
    version: '1',
    database: { engine: 'pglite', reachable: true },
    model: { mode: 'offline', name: 'offline' },
    backup,
  }
  const context = { api: { get: async () => health } } as unknown as LoadContext
  const section = await aboutSection.open(context)
  const { outerHTML } = el('div', {}, section.render({} as ViewContext))
  return outerHTML.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

test('a nightly backup that failed stands in Settings, with the last one that did not', async () => {
  const text = await textOf({ last_at: '2026-02-28T03:00:00Z', failed_at: '2026-03-01T03:00:00Z' })

  expect(text).toMatch(/Last backup 28 Feb 2026/)
  expect(text).toMatch(/The nightly backup failed on 1 Mar 2026.*see the server log/)
})

test('a backup that succeeded, one that is still to come, and none', async () => {
  expect(await textOf({ last_at: '2026-02-28T03:00:00Z', failed_at: null })).not.toContain('failed')
  expect(await textOf({ last_at: null, failed_at: null })).toContain('Last backup None yet')
  expect(await textOf(null)).not.toContain('Last backup')
})
