import type { Source, SourceTool, ToolPolicy } from '../../../lib/contract/sources.ts'
import type { Api } from '../../app/api/api.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { ToastChange } from '../parts/toast-change.ts'

/** The tools that nobody has decided on, and how they would be set. */
export function renderProposed(
  { id, name }: Source,
  tools: readonly SourceTool[],
  api: Pick<Api, 'post'>,
  change: ToastChange,
): Child {
  const open = tools.filter(({ decided, offered, changed }) => !decided && offered && !changed)
  if (open.length === 0) return null
  const seen = open.map(({ name, sha256 }) => ({ name, sha256 }))
  const use = () => api.post(`/api/sources/${id}/tools/use-proposed`, { tools: seen })
  const count = (policy: ToolPolicy) => open.filter(({ proposed }) => proposed === policy).length
  const counts = [
    [count('read'), 'to call freely'],
    [count('ask'), 'to ask each time'],
  ].flatMap(([n, words]) => (n ? [`${n} ${words}`] : []))
  return el(
    'div',
    { class: 'row' },
    el(
      'span',
      { class: 'small' },
      `Proposed from what the server says of its tools: ${counts.join(', ')}. Until you decide, none is called freely.`,
    ),
    el(
      'button',
      {
        class: 'button button-small',
        type: 'button',
        id: `use-proposed-${id}`,
        onclick: () => change(use, `Set the proposed policies of ${name}.`),
      },
      'Use the proposed policies',
    ),
  )
}
