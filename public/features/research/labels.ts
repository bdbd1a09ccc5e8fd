import type { ResearchItem } from '../../../lib/contract/research.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { ViewContext } from '../../app/view.ts'
import { iconButton } from '../../ui/components/icon-button.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref, withQuery } from '../../ui/words/addresses.ts'
import { describeRun } from './run-actions.ts'

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
