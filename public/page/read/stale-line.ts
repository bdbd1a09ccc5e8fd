import type { ResearchList, ResearchRun } from '../../../lib/contract/research.ts'
import type { ViewContext } from '../../app/view.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'

/** `null` while every source still says what was cited. */
export function staleLine(
  { cited_passages: { total, changed } }: ResearchRun,
  more?: Child,
): HTMLElement | null {
  if (changed === 0) return null
  const passages = total === 1 ? 'passage has' : 'passages have'
  return el(
    'p',
    { class: 'research-stale' },
    `${changed} of ${total} cited ${passages} changed since. `,
    more,
  )
}

/** Says so on a page that was drafted from a run; nothing on any other page. */
export async function showStaleLine(
  root: HTMLElement,
  page: { id: string; space_id: string },
  { app, space, signal }: ViewContext,
): Promise<void> {
  const path = withQuery(`/api/spaces/${page.space_id}/research`, { page_id: page.id })
  const item = (await app.api.get<ResearchList>(path)).items[0]
  const run = item && (await app.api.get<ResearchRun>(`/api/research/${item.id}`))
  if (!run || signal.aborted) return
  const href = `${spaceHref(space!.slug)}/research/${run.id}`
  const line = staleLine(run, el('a', { href }, 'Open the research'))
  if (line) root.append(line)
}
