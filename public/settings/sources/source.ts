import type {
  Source,
  SourceSignInStart,
  SourceTest,
  SourceTool,
  ToolPolicy,
} from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { type Api, messageOf } from '../../app/api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { isolated } from '../../ui/components/visible.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { type Child, el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { closeForm, createToastChange, renderEditForm, type ToastChange } from '../parts/section.ts'
import { renderSourceForm } from './source-form.ts'

export type ListedSource = { source: Source; tools: SourceTool[] }

const maxShownChars = 600

/** A source with its state, what can be done with it, and its tools. */
export function renderSource({ source, tools }: ListedSource, context: ViewContext): HTMLElement {
  const { name, transport, command, args, url, checked_at, last_error, signed_in } = source
  return el(
    'article',
    { class: 'agent', 'aria-label': name },
    el('div', { class: 'agent-head' }, el('strong', {}, quoteShown(name)), renderState(source)),
    el('p', { class: 'dim small mono' }, quoteShown(url ?? [command, ...args].join(' '), maxShownChars)),
    transport === 'stdio' && el('p', { class: 'dim small' }, confinementOf(source)),
    checked_at !== null && el('p', { class: 'dim small' }, 'Last asked ', timeAgo(checked_at, context.now)),
    signed_in !== null &&
      el(
        'p',
        { class: 'dim small' },
        `Signed in at ${new URL(signed_in.issuer).host} `,
        timeAgo(signed_in.at, context.now),
      ),
    last_error !== null && el('p', { class: 'problem' }, isolated(last_error, maxShownChars)),
    renderActions(source, context),
    renderEdit(source, context),
    renderProposed(source, tools, context.app.api, createToastChange(context)),
    tools.length > 0
      ? el(
          'ul',
          { class: 'rows', 'aria-label': `Tools of ${name}` },
          tools.map((tool) => renderTool(source, tool, context.app.api, createToastChange(context))),
        )
      : el('p', { class: 'dim small' }, 'No tools known. Test the source to list them.'),
  )
}

function confinementOf({ unconfined, network }: Source): string {
  if (unconfined) return 'Runs without a sandbox'
  return network ? 'Runs in a sandbox and may reach other machines' : 'Runs in a sandbox, without a network'
}

function renderActions(source: Source, context: ViewContext): Child {
  const { id, name, enabled } = source
  const { app, refresh } = context
  const path = `/api/sources/${id}`
  const change = createToastChange(context)
  const toggle = () => app.api.patch(path, { enabled: !enabled })
  return el(
    'div',
    { class: 'row' },
    renderSignIn(source, context),
    button('Test', `test-${id}`, test),
    button(enabled ? 'Disable' : 'Enable', `enable-${id}`, () =>
      change(toggle, `${enabled ? 'Disabled' : 'Enabled'} ${name}.`),
    ),
    renderArmedButton({
      label: 'Remove',
      name,
      id: `remove-${id}`,
      press: () => void change(() => app.api.delete(path), `Removed ${name}.`),
    }),
  )

  async function test(): Promise<void> {
    try {
      const { ok, tools } = await app.api.post<SourceTest>(`${path}/test`)
      const words = ok ? `${name} answered: ${tools} tools.` : `${name} did not answer.`
      app.toast(words, ok ? {} : { tone: 'problem' })
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

/** For a source over http that nobody has written a token for. */
function renderSignIn(source: Source, context: ViewContext): Child {
  const { id, name, transport, status, headers, signed_in, oauth_client_id } = source
  const path = `/api/sources/${id}/sign-in`
  const { app } = context
  const mayConnect =
    transport === 'http' &&
    (status === 'sign_in' || (status !== 'ok' && oauth_client_id !== null)) &&
    !Object.keys(headers).some((each) => each.toLowerCase() === 'authorization')
  return [
    mayConnect &&
      el(
        'button',
        {
          class: 'button button-small button-primary',
          type: 'button',
          id: `connect-${id}`,
          onclick: connect,
        },
        'Connect',
      ),
    signed_in !== null &&
      renderArmedButton({
        label: 'Disconnect',
        name,
        id: `disconnect-${id}`,
        press: () => void createToastChange(context)(() => app.api.delete(path), `Disconnected ${name}.`),
      }),
  ]

  async function connect(): Promise<void> {
    try {
      const { url } = await app.api.post<SourceSignInStart>(path)
      // The server has checked that it is a web address.
      location.assign(url)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderEdit(source: Source, { app, refresh }: ViewContext): HTMLElement {
  const { id, name } = source
  return renderEditForm(
    { id, name },
    renderSourceForm({ source, label: 'Save', icon: 'check', onSave: save }),
  )

  async function save(fields: Record<string, unknown>): Promise<void> {
    await app.api.patch(`/api/sources/${id}`, fields)
    closeForm(`edit-${id}`)
    await app.api.post(`/api/sources/${id}/test`)
    app.toast(`Saved ${quoteShown(name)}.`)
    await refresh()
  }
}

const renderState = ({ enabled, status }: Source): HTMLElement =>
  el('span', { class: 'badge' }, enabled ? stateWords[status] : 'disabled')

const stateWords: Record<Source['status'], string> = {
  untested: 'not tested',
  ok: 'answers',
  failed: 'failed',
  sign_in: 'needs signing in',
}

const button = (label: string, id: string, onclick: () => Promise<void>): HTMLElement =>
  el('button', { class: 'button button-small', type: 'button', id, onclick }, label)

/** The tools that nobody has decided on, and how they would be set. */
function renderProposed(
  { id, name }: Source,
  tools: readonly SourceTool[],
  api: Pick<Api, 'post'>,
  change: ToastChange,
): Child {
  const open = tools.filter(({ decided, offered, changed }) => !decided && offered && !changed)
  if (open.length === 0) return null
  const reviewed = open.map(({ name, sha256 }) => ({ name, sha256 }))
  const use = () => api.post(`/api/sources/${id}/tools/use-proposed`, { tools: reviewed })
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
      `Proposed from the server’s description of its tools: ${counts.join(', ')}. Until you decide, none is called freely.`,
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

const policies: readonly [ToolPolicy, string][] = [
  ['off', 'Off'],
  ['read', 'Call freely'],
  ['ask', 'Ask each time'],
]

const wordsOf = (policy: ToolPolicy) => policies.find(([value]) => value === policy)![1]

/** A tool with its policy, description and schema. */
function renderTool(
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
  description !== '' && el('blockquote', { dir: 'auto' }, isolated(description, 4000)),
  el('pre', { class: 'mono' }, JSON.stringify(input_schema, null, 2)),
]
