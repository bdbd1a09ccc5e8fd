// Drafts that wait for the page that is shown, shown where they would change it. The same drafts as in the rail and the
// Inbox, decided by the same calls.

import type { LiveEvent } from '../../../lib/contract/events/live.ts'
import type { AppContext, Subject } from '../../app/app.ts'
import { findWaiting, isWriting } from './find-waiting.ts'
import type { PageDraft } from './page-draft.ts'

export function startPageDrafts(context: AppContext): void {
  const { app, signal } = context
  let active: { pageId: string; draft: PageDraft | null } | null = null
  let pendingCount = 0
  let requests = 0
  const resume: { at: number | null } = { at: null }
  app.state.watch(({ subject }) => subject, onSubject, signal)
  app.live.on(onLive, signal)
  document.addEventListener('writing', () => active?.draft?.removeChanges(), { signal })
  onSubject(app.state.get().subject)

  /** Called before the view is drawn: what was shown stays until it is known what is to be. */
  function onSubject(subject: Subject | null): void {
    const pageId = subject?.entityType === 'page' ? subject.entityId : null
    if (pageId !== active?.pageId) {
      active?.draft?.remove()
      active = pageId === null ? null : { pageId, draft: null }
      pendingCount = 0
      resume.at = null
    }
    keepFocus()
    queueMicrotask(() => {
      active?.draft?.show()
      load()
    })
  }

  function onLive(event: LiveEvent): void {
    const missed = event.type === 'hello' && !event.data.resumed
    if (missed || (event.type === 'change' && event.data.entity_id === active?.pageId)) load()
  }

  async function load(): Promise<void> {
    const request = ++requests
    const current = active
    if (!current || !document.querySelector('#view .page-main')) return
    // A page without its drafts is whole; the next event asks again.
    const waiting = await findWaiting(app.api, current.pageId, pendingCount).catch(() => null)
    if (request !== requests || signal.aborted) return
    if (waiting && current.draft?.isSame(waiting)) return
    // What is written does not move for what comes meanwhile.
    if (isWriting() && (!current.draft || (waiting && current.draft.isOf(waiting)))) return
    const { PageDraft } = waiting ? await import('./page-draft.ts') : { PageDraft: null }
    if (request !== requests || signal.aborted) return
    keepFocus()
    current.draft?.remove()
    const options = { resume, onNextDraft, load }
    current.draft = waiting && PageDraft ? new PageDraft(context, waiting, options) : null
    current.draft?.show()
  }

  /** The change that has the focus now has it in what is drawn next. */
  function keepFocus(): void {
    const focused = active?.draft?.focusedAt() ?? -1
    if (focused >= 0) resume.at = focused
  }

  function onNextDraft(): void {
    pendingCount += 1
    load()
  }
}
