// What the owner does with a run. Going on is a turn of its thread: it is begun here and followed where the thread is
// shown.

import type { EditedPlan, ResearchBudget, ResearchItem, ResearchRun } from '../../../lib/contract/research.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { createIdempotencyKey } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import type { ViewContext } from '../../app/view.ts'
import { iconButton } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'

const pathOf = (id: string) => `/api/research/${id}`

export const loadRun = ({ api }: Pick<App, 'api'>, id: string): Promise<ResearchRun> => api.get(pathOf(id))

export const resumeRun = (
  app: Pick<App, 'api'>,
  id: string,
  body: { plan?: EditedPlan; budget?: Partial<ResearchBudget> } = {},
): Promise<void> => begin(app, `${pathOf(id)}/resume`, body)

export const rerun = (app: Pick<App, 'api'>, id: string): Promise<void> =>
  begin(app, `${pathOf(id)}/rerun`, {})

/** A message in the thread that a run holds. */
export const sayToRun = (
  app: Pick<App, 'api'>,
  { space_id, conversation_id }: Pick<ResearchRun, 'space_id' | 'conversation_id'>,
  text: string,
): Promise<void> => begin(app, `/api/spaces/${space_id}/companion/turn`, { text, conversation_id })

export const stopRun = ({ api }: Pick<App, 'api'>, id: string): Promise<ResearchRun> =>
  api.post(`${pathOf(id)}/stop`, {})

export const describeRun = (
  { api }: Pick<App, 'api'>,
  id: string,
  change: { title?: string; archived?: boolean; labels?: string[] },
): Promise<ResearchRun> => api.patch(pathOf(id), change)

/** Resolves once the turn has begun; it runs whether or not somebody reads it. */
async function begin({ api }: Pick<App, 'api'>, path: string, body: object): Promise<void> {
  const response = await api.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': createIdempotencyKey() },
    body: JSON.stringify(body),
  })
  await response.body?.cancel()
}

const maxLabels = 10

const maxLength = 50

/** A label as a link to the runs that have it. */
export const labelChip = (label: string, { space }: Pick<ViewContext, 'space'>): HTMLElement =>
  el(
    'a',
    {
      class: 'badge research-label',
      href: withQuery(`${spaceHref(space!.slug)}/research`, { label }),
      title: label,
      'aria-label': `Research labeled ${label}`,
    },
    label,
  )

/** The labels of a run, each with a button that removes it, and a field for another one. */
export function labelEditor({ id, labels }: ResearchItem, context: ViewContext): HTMLElement {
  const { app, refresh } = context
  const save = (next: string[]) =>
    void toastFailure(
      app,
      describeRun(app, id, { labels: next }).then(() => refresh()),
    )
  return el(
    'section',
    { class: 'research-head research-labels', 'aria-label': 'Labels' },
    labels.map((label) =>
      el(
        'span',
        { class: 'row' },
        labelChip(label, context),
        iconButton(`Remove label ${label}`, 'close', () => save(labels.filter((other) => other !== label))),
      ),
    ),
    labels.length < maxLabels && addForm((label) => save([...labels, label])),
  )
}

function addForm(add: (label: string) => void): Child {
  const field = el('input', {
    class: 'field research-label-field',
    id: 'research-label',
    maxlength: maxLength,
    placeholder: 'Add label…',
    'aria-label': 'Add label',
  })
  return el(
    'form',
    {
      onsubmit(event: Event) {
        event.preventDefault()
        const label = field.value.trim()
        if (label) add(label)
      },
    },
    field,
  )
}
