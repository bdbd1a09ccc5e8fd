import type { List, Space } from '../../lib/contract/entities.ts'
import type { ImportJob } from '../../lib/contract/imports.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { visible } from '../components/visible.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { followImport } from './follow-import.ts'
import { countWords, hasChanged } from './import-counts.ts'
import { renderOutcomes } from './import-outcomes.ts'

const perPage = 10
const stateWords: Partial<Record<ImportJob['state'], string>> = {
  open: 'not brought in',
  previewed: 'only looked at',
  running: 'running',
  stopped: 'stopped',
  failed: 'broken off',
  undoing: 'being taken back',
  undone: 'taken back',
}

export const pastImportsPath = (spaceId: string, cursor: string | null = null): string =>
  withQuery(`/api/spaces/${spaceId}/imports`, { limit: perPage, cursor })

/** The imports of a Space, newest first: what came of each, file by file, and a way to take it back. */
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
    { class: 'stack', 'aria-label': 'Earlier imports' },
    el('h3', {}, `Earlier imports into ${space.name}`),
    items.length === 0 ? el('p', { class: 'dim' }, 'None yet.') : list,
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
  const said = [stateWords[job.state], ...countWords(job.counts)].filter(Boolean).join(' · ')
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
        el('div', { class: 'dim small' }, timeAgo(job.created_at, new Date()), said && ` · ${said}`),
      ),
      el(
        'button',
        { class: 'button button-small', type: 'button', 'aria-expanded': 'false', onclick: toggle },
        'Files',
      ),
      canBeUndone(job) &&
        el('button', { class: 'button button-small', type: 'button', onclick: undo }, 'Take it back'),
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
      const ended = await followImport(app, started)
      const fresh = renderPastImport(ended, { app, space })
      row.replaceWith(fresh)
      fresh.querySelector('button')?.focus()
      app.announce('The import was taken back.')
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
      if (currentTarget instanceof HTMLButtonElement) currentTarget.disabled = false
    }
  }
}

const canBeUndone = ({ state, counts }: ImportJob): boolean =>
  ['done', 'stopped', 'failed'].includes(state) && hasChanged(counts)
