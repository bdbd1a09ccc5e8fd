import type { Space } from '../../../lib/contract/entities.ts'
import type { ImportJob } from '../../../lib/contract/imports.ts'
import type { List } from '../../../lib/contract/list.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { pollImport } from './browser-import.ts'
import { countTexts, hasChanged, renderOutcomes } from './import-outcomes.ts'

const pageSize = 10
const stateNames: Partial<Record<ImportJob['state'], string>> = {
  open: 'not imported',
  previewed: 'dry run',
  running: 'running',
  stopped: 'stopped',
  failed: 'failed',
  undoing: 'being undone',
  undone: 'undone',
}

export const pastImportsPath = (spaceId: string, cursor: string | null = null): string =>
  withQuery(`/api/spaces/${spaceId}/imports`, { limit: pageSize, cursor })

/** The imports of a Space, newest first, with the outcome of each file and a button to undo them. */
export function renderPastImports(
  { items, next_cursor }: List<ImportJob>,
  { app, space }: { app: App; space: Space },
): HTMLElement {
  const list = el('ul', { class: 'rows', id: 'past-imports' }, rows(items))
  const more = el(
    'button',
    { class: 'button button-small', type: 'button', onclick: showMore, hidden: next_cursor === null },
    'Show more',
  )
  let cursor = next_cursor
  return el(
    'section',
    { class: 'stack', 'aria-label': 'Past imports' },
    el('h2', {}, `Past imports into ${space.name}`),
    items.length === 0 ? el('p', { class: 'dim' }, 'No imports yet.') : list,
    el('div', {}, more),
  )

  function rows(jobs: readonly ImportJob[]): HTMLElement[] {
    return jobs.map((job) => renderPastImport(job, { app, space }))
  }

  async function showMore(): Promise<void> {
    try {
      const page = await app.api.get<List<ImportJob>>(pastImportsPath(space.id, cursor))
      list.append(...rows(page.items))
      cursor = page.next_cursor
      more.hidden = cursor === null
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderPastImport(job: ImportJob, { app, space }: { app: App; space: Space }): HTMLElement {
  const files = el('div', { hidden: true })
  const summary = [stateNames[job.state], ...countTexts(job.counts)].filter(Boolean).join(' · ')
  const row = el(
    'li',
    { class: 'past-import', 'data-state': job.state },
    el(
      'div',
      { class: 'row' },
      el(
        'div',
        { class: 'grow' },
        el('div', { class: 'row-title' }, visible(job.source)),
        el('div', { class: 'dim small' }, timeAgo(job.created_at, new Date()), summary && ` · ${summary}`),
      ),
      el(
        'button',
        { class: 'button button-small', type: 'button', 'aria-expanded': 'false', onclick: toggle },
        'Files',
      ),
      canBeUndone(job) &&
        el('button', { class: 'button button-small', type: 'button', onclick: undo }, 'Undo import'),
    ),
    job.problem !== null && el('p', { class: 'problem' }, visible(job.problem)),
    files,
  )
  return row

  function toggle({ currentTarget }: Event): void {
    files.hidden = !files.hidden
    if (currentTarget instanceof Element) currentTarget.setAttribute('aria-expanded', String(!files.hidden))
    if (!files.hidden) files.replaceChildren(renderOutcomes(app, { id: job.id, slug: space.slug }))
  }

  async function undo({ currentTarget }: Event): Promise<void> {
    if (currentTarget instanceof HTMLButtonElement) currentTarget.disabled = true
    try {
      const started = await app.api.post<ImportJob>(`/api/imports/${job.id}/undo`)
      const ended = await pollImport(app, started)
      const fresh = renderPastImport(ended, { app, space })
      row.replaceWith(fresh)
      fresh.querySelector('button')?.focus()
      app.announce('Import undone.')
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
      if (currentTarget instanceof HTMLButtonElement) currentTarget.disabled = false
    }
  }
}

const canBeUndone = ({ state, counts }: ImportJob): boolean =>
  ['done', 'stopped', 'failed'].includes(state) && hasChanged(counts)
