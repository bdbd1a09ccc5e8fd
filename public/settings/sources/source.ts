import type { Source, SourceTest, SourceTool } from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { messageOf } from '../../api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { renderArmedButton } from '../../components/armed-button.ts'
import { quoted } from '../../components/quoted.ts'
import { type Child, el } from '../../dom.ts'
import { timeAgo } from '../../time.ts'
import { type Change, renderTool } from './tool.ts'

export type ListedSource = { source: Source; tools: SourceTool[] }

const maxShownChars = 600

/** A source with its state, what can be done with it, and its tools. */
export function renderSource({ source, tools }: ListedSource, context: ViewContext): HTMLElement {
  const { name, command, args, url, checked_at, last_error } = source
  return el(
    'article',
    { class: 'agent', 'aria-label': name },
    el('div', { class: 'agent-head' }, el('strong', {}, quoteShown(name)), renderState(source)),
    el('p', { class: 'dim small mono' }, quoteShown(url ?? [command, ...args].join(' '), maxShownChars)),
    checked_at !== null && el('p', { class: 'dim small' }, 'Last asked ', timeAgo(checked_at, context.now)),
    last_error !== null && el('p', { class: 'problem' }, quoted(last_error, maxShownChars)),
    renderActions(source, context),
    tools.length > 0
      ? el(
          'ul',
          { class: 'rows', 'aria-label': `Tools of ${name}` },
          tools.map((tool) => renderTool(source, tool, context.app.api, createChange(context))),
        )
      : el('p', { class: 'dim small' }, 'No tools known. Test the source to list them.'),
  )
}

function renderActions({ id, name, enabled }: Source, context: ViewContext): Child {
  const { app, refresh } = context
  const path = `/api/sources/${id}`
  const change = createChange(context)
  const toggle = () => app.api.patch(path, { enabled: !enabled })
  return el(
    'div',
    { class: 'row' },
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

const createChange =
  ({ app, refresh }: ViewContext): Change =>
  async (work, done) => {
    try {
      await work()
      app.toast(done)
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
    await refresh()
  }

const renderState = ({ enabled, status }: Source): HTMLElement =>
  el(
    'span',
    { class: 'badge' },
    enabled ? { untested: 'not tested', ok: 'answers', failed: 'failed' }[status] : 'disabled',
  )

const button = (label: string, id: string, onclick: () => Promise<void>): HTMLElement =>
  el('button', { class: 'button button-small', type: 'button', id, onclick }, label)
