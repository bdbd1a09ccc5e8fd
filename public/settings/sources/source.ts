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
import { closeForm, createToastChange, type ToastChange } from '../parts/section.ts'
import { formRow, hintedRow, renderThing, switchBox, switchRow, valueRow } from '../parts/setting.ts'
import { renderSourceForm } from './source-form.ts'

export type ListedSource = { source: Source; tools: SourceTool[] }

const maxShownChars = 600

/** A source with its state, what can be done with it, and its tools. */
export function renderSource({ source, tools }: ListedSource, context: ViewContext): HTMLElement {
  const { id, name } = source
  const change = createToastChange(context)
  const { api } = context.app
  return renderThing(
    { id: `source-${id}`, name: isolated(name) },
    renderEdit(source, context),
    renderConnection(source, context),
    renderSignIn(source, context),
    renderEnabled(source, api, change),
    tools.length > 0
      ? el(
          'section',
          { 'aria-label': `Tools of ${name}` },
          renderProposed(source, tools, api, change),
          tools.map((tool) => renderTool(source, tool, api, change)),
        )
      : valueRow('Tools', el('span', { class: 'dim' }, 'None known. Test the source to list them.')),
    valueRow(
      'Remove',
      renderArmedButton({
        label: 'Remove',
        name,
        id: `remove-${id}`,
        press: () => void change(() => api.delete(`/api/sources/${id}`), `Removed ${quoteShown(name)}.`),
      }),
    ),
  )
}

function confinementOf({ unconfined, network }: Source): string {
  if (unconfined) return 'Runs without a sandbox'
  return network ? 'Runs in a sandbox and may reach other machines' : 'Runs in a sandbox, without a network'
}

/** How it answered when it was asked last. */
function renderConnection(source: Source, context: ViewContext): HTMLElement {
  const { id, name, status, checked_at, last_error } = source
  const { app, refresh, now } = context
  return hintedRow(
    'Connection',
    checked_at !== null && ['Last asked ', timeAgo(checked_at, now)],
    el(
      'span',
      { class: 'grow' },
      el('span', {}, stateWords[status]),
      last_error !== null && el('span', { class: 'problem' }, isolated(last_error, maxShownChars)),
    ),
    button('Test', `test-${id}`, test),
  )

  async function test(): Promise<void> {
    try {
      const { ok, tools } = await app.api.post<SourceTest>(`/api/sources/${id}/test`)
      const words = ok ? `${name} answered: ${tools} tools.` : `${name} did not answer.`
      app.toast(words, ok ? {} : { tone: 'problem' })
      await refresh()
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function renderEnabled({ id, name, enabled }: Source, api: Pick<Api, 'patch'>, change: ToastChange): Child {
  const box = switchBox({ id: `enable-${id}`, checked: enabled, onchange: () => void set(box.checked) })
  return switchRow('Enabled', box, 'Its tools can be called')

  function set(isOn: boolean): Promise<void> {
    const done = `${isOn ? 'Enabled' : 'Disabled'} ${quoteShown(name)}.`
    return change(() => api.patch(`/api/sources/${id}`, { enabled: isOn }), done)
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
  if (!mayConnect && signed_in === null) return null
  return valueRow(
    'Sign-in',
    el(
      'span',
      { class: 'grow' },
      signed_in !== null && [
        `Signed in at ${new URL(signed_in.issuer).host} `,
        timeAgo(signed_in.at, context.now),
      ],
    ),
    mayConnect && button('Connect', `connect-${id}`, connect),
    signed_in !== null &&
      renderArmedButton({
        label: 'Disconnect',
        name,
        id: `disconnect-${id}`,
        press: () =>
          void createToastChange(context)(() => app.api.delete(path), `Disconnected ${quoteShown(name)}.`),
      }),
  )

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
  const { id, name, transport, url, command, args } = source
  const place = isolated(url ?? [command, ...args].join(' '), maxShownChars)
  return formRow(
    {
      id: `edit-${id}`,
      label: transport === 'stdio' ? 'Program' : 'Address',
      hint: transport === 'stdio' && confinementOf(source),
      value: el('code', {}, place),
      verb: 'Edit',
      name,
    },
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

const stateWords: Record<Source['status'], string> = {
  untested: 'Not tested',
  ok: 'Answers',
  failed: 'Failed',
  sign_in: 'Needs signing in',
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
  return hintedRow(
    'Proposed policies',
    'From the server’s description of its tools',
    el('span', { class: 'grow' }, `${counts.join(', ')}. Until you decide, none is called freely.`),
    button('Use the proposed policies', `use-proposed-${id}`, () =>
      change(use, `Set the proposed policies of ${quoteShown(name)}.`),
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
  const badge = (words: string) => el('span', { class: 'badge' }, words)
  const isProposal = !tool.decided && !changed && tool.proposed !== policy
  return el(
    'div',
    { class: 'setting' },
    el('div', { class: 'setting-name' }, el('code', { class: 'field-label' }, isolated(name))),
    el(
      'div',
      { class: 'setting-value' },
      select,
      !offered && badge('not offered'),
      changed && badge('changed'),
      isProposal && badge(`proposed: ${wordsOf(tool.proposed).toLowerCase()}`),
    ),
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
