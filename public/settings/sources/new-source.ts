import type { Space } from '../../../lib/contract/entities/entities.ts'
import type { Source } from '../../../lib/contract/sources.ts'
import { quoteShown } from '../../../lib/text/quote-name.ts'
import { messageOf } from '../../api/api.ts'
import type { ViewContext } from '../../app/view.ts'
import { icon } from '../../components/icon.ts'
import { el } from '../../dom.ts'

/** The form for a new source: a line is a command with its arguments, or an address. */
export function renderNewSource(spaces: readonly Space[], { app, refresh }: ViewContext): HTMLElement {
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const space = el(
    'select',
    { class: 'field', id: 'source-space' },
    spaces.map(({ id, name }) => el('option', { value: id }, name)),
  )
  const text = (id: string, placeholder: string, required = true) =>
    el('input', { class: 'field', id, required, autocomplete: 'off', placeholder })
  const name = text('source-name', 'Files')
  const place = text('source-place', 'https://tracker.example/mcp, or /usr/bin/program')
  const args = el('textarea', { class: 'field mono', id: 'source-args', rows: 3 })
  const values = el('textarea', { class: 'field mono', id: 'source-values', rows: 3 })
  const label = (id: string, words: string) => el('label', { class: 'field-label', for: id }, words)

  return el(
    'form',
    { class: 'stack', onsubmit: add },
    el('h3', {}, 'New source'),
    label('source-space', 'Space'),
    space,
    label('source-name', 'Name'),
    name,
    label('source-place', 'Address, or program to start'),
    place,
    label('source-args', 'Arguments of the program, one a line'),
    args,
    label('source-values', 'Headers or variables, one NAME=VALUE a line; a value may be secret:NAME'),
    values,
    problem,
    el(
      'div',
      { class: 'row' },
      el('button', { class: 'button', type: 'submit' }, icon('plus'), 'Add source'),
    ),
  )

  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    problem.hidden = true
    try {
      const body = toSource({ name: name.value, place: place.value, args: args.value, values: values.value })
      const { id } = await app.api.post<Source>(`/api/spaces/${space.value}/sources`, body)
      for (const field of [name, place, args, values]) field.value = ''
      await app.api.post(`/api/sources/${id}/test`)
      app.toast(`Added source ${quoteShown(body.name)}.`)
      await refresh()
    } catch (error) {
      problem.hidden = false
      problem.textContent = messageOf(error)
    }
  }
}

type Written = { name: string; place: string; args: string; values: string }

/** What the form holds, as the API takes it. */
function toSource({ name, place, args, values }: Written) {
  const pairs = Object.fromEntries(
    linesOf(values).map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
  const target = place.trim()
  return /^https?:\/\//i.test(target)
    ? { name: name.trim(), transport: 'http' as const, url: target, headers: pairs }
    : { name: name.trim(), transport: 'stdio' as const, command: target, args: linesOf(args), env: pairs }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
