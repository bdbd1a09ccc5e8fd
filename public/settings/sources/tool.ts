import type { Source, SourceTool, ToolPolicy } from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { Api } from '../../app/api/api.ts'
import { quoted } from '../../ui/components/visible.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { type Child, el } from '../../ui/dom.ts'
import type { ToastChange } from '../parts/section.ts'

const policies: readonly [ToolPolicy, string][] = [
  ['off', 'Off'],
  ['read', 'Call freely'],
  ['ask', 'Ask each time'],
]

const wordsOf = (policy: ToolPolicy) => policies.find(([value]) => value === policy)![1]

/** A tool with its policy, and what it says of itself. */
export function renderTool(
  { id }: Source,
  tool: SourceTool,
  api: Pick<Api, 'patch'>,
  change: ToastChange,
): HTMLElement {
  const { name, definition, changed, offered, policy, sha256 } = tool
  const setPolicy = () =>
    api.patch(`/api/sources/${id}/tools/${encodeURIComponent(name)}`, {
      policy: select.value,
      sha256: changed?.sha256 ?? sha256,
    })
  const select = el(
    'select',
    {
      class: 'field',
      id: `policy-${id}-${name}`,
      'aria-label': `Policy of ${name}`,
      onchange: () => change(setPolicy, `Set ${name}: ${select.value}.`),
    },
    changed && el('option', { value: '', selected: true, disabled: true }, 'Choose…'),
    policies.map(([value, label]) => el('option', { value, selected: !changed && value === policy }, label)),
  )
  return el(
    'li',
    { class: 'row-item passkey' },
    el('span', { class: 'row-title mono' }, quoteShown(name)),
    !offered && el('span', { class: 'badge' }, 'not offered'),
    changed && el('span', { class: 'badge' }, 'changed'),
    !tool.decided &&
      !changed &&
      tool.proposed !== policy &&
      el('span', { class: 'badge' }, `proposed: ${wordsOf(tool.proposed).toLowerCase()}`),
    select,
    el(
      'details',
      { class: 'small', id: `about-${id}-${name}` },
      el('summary', {}, changed ? 'What changed' : 'Description and schema'),
      changed
        ? renderDiff(textOf(definition), textOf(changed.definition), `change-${id}-${name}`)
        : renderDefinition(definition),
    ),
  )
}

const textOf = ({ description = '', input_schema }: SourceTool['definition']): string =>
  `${description}\n\n${JSON.stringify(input_schema, null, 2)}\n`

const renderDefinition = ({ description = '', input_schema }: SourceTool['definition']): Child => [
  description !== '' && el('blockquote', { dir: 'auto' }, quoted(description, 4000)),
  el('pre', { class: 'mono' }, JSON.stringify(input_schema, null, 2)),
]
