import type { Source } from '../../../lib/contract/sources.ts'
import { ApiError, messageOf } from '../../app/api/api.ts'
import { type IconName, icon } from '../../ui/components/icon.ts'
import { type Child, el } from '../../ui/dom.ts'
import { fieldRow, switchBox, switchRow } from '../parts/setting.ts'

export type SourceFormOptions = {
  /** `null`: a new one. */
  source: Source | null
  label: string
  icon: IconName
  /** Above the fields. */
  lead?: Child
  /** Gets the fields as the API takes them; of one that exists, those that were changed. Its failure is shown. */
  onSave: (fields: Record<string, unknown>) => Promise<void>
}

/** The form for a source, new or existing. Values that are stored as secrets come as “(hidden)”, and stay if left so. */
export function renderSourceForm(options: SourceFormOptions): HTMLFormElement {
  const { source, label, icon: name, lead, onSave } = options
  const problem = el('div', { class: 'problem stack', role: 'alert', hidden: true })
  const fields = createFields(source)
  return el(
    'form',
    { class: 'stack', onsubmit: save },
    lead,
    fields.rows,
    problem,
    el('div', { class: 'row' }, el('button', { class: 'button', type: 'submit' }, icon(name), label)),
  )

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    await send(fields.read())
  }

  async function send(written: Record<string, unknown>): Promise<void> {
    problem.hidden = true
    try {
      await onSave(written)
    } catch (error) {
      problem.hidden = false
      problem.replaceChildren(messageOf(error))
      if (error instanceof ApiError && error.code === 'sandbox_unavailable') {
        const accept = () => send({ ...written, unconfined: true })
        const button = el('button', { class: 'button', type: 'button', onclick: accept }, runAnyway)
        problem.append(el('div', { class: 'row' }, button))
      }
    }
  }
}

const runAnyway = 'Run it without a sandbox'

type TextField = HTMLInputElement | HTMLTextAreaElement

function createFields(source: Source | null) {
  const id = (field: string) => `source-${field}${source ? `-${source.id}` : ''}`
  const line = (field: string, value: string, placeholder = '') =>
    el('input', { class: 'field', id: id(field), autocomplete: 'off', placeholder, value })
  const lines = (field: string, value: string) =>
    el('textarea', { class: 'field mono', id: id(field), rows: 3 }, value)
  const kind = source?.transport ?? 'both'
  const name = line('name', source?.name ?? '', 'Files')
  const place = line(
    'place',
    source?.url ?? source?.command ?? '',
    'https://tracker.example/mcp, or /usr/bin/program',
  )
  for (const field of [name, place]) field.required = true
  const args = lines('args', (source?.args ?? []).join('\n'))
  const values = lines('values', toLines(source ? { ...source.env, ...source.headers } : {}))
  const network = switchBox({ id: id('network'), checked: source?.network ?? false })
  const unconfined = switchBox({ id: id('unconfined'), checked: source?.unconfined ?? false })
  const clientId = line('client', source?.oauth_client_id ?? '')
  const clientSecret = line('client-secret', source?.oauth_client_secret ?? '', 'secret:NAME')
  return {
    rows: [
      fieldRow('Name', name),
      fieldRow({ http: 'Address', stdio: 'Program', both: 'Address, or program to start' }[kind], place),
      kind !== 'http' && fieldRow('Program arguments', args, 'One per line'),
      kind !== 'http' && switchRow('Network access', network, 'The program may reach other machines'),
      kind === 'stdio' &&
        switchRow(
          'Run without a sandbox',
          unconfined,
          'It can then do all that Void’s account can, and read its keys',
        ),
      fieldRow(valuesLabel[kind], values, 'One NAME=VALUE per line; a value may be secret:NAME'),
      kind !== 'stdio' &&
        el(
          'details',
          { class: 'small', id: id('oauth') },
          el('summary', {}, 'Sign-in with a client ID of your own'),
          el(
            'p',
            { class: 'dim' },
            'Only for a server that does not let Void register itself. Its redirect URI is this address with /sources/callback.',
          ),
          fieldRow('Client ID', clientId),
          fieldRow('Client secret', clientSecret, 'If it has one'),
        ),
    ] satisfies Child,

    read(): Record<string, unknown> {
      const isHttp = kind === 'both' ? /^https?:\/\//i.test(place.value.trim()) : kind === 'http'
      const all: [TextField, string, unknown][] = [
        [name, 'name', name.value.trim()],
        [place, isHttp ? 'url' : 'command', place.value.trim()],
        [values, isHttp ? 'headers' : 'env', toPairs(values.value)],
        ...(isHttp
          ? ([
              [clientId, 'oauth_client_id', clientId.value.trim() || null],
              [clientSecret, 'oauth_client_secret', clientSecret.value.trim() || null],
            ] as [TextField, string, unknown][])
          : ([[args, 'args', linesOf(args.value)]] as [TextField, string, unknown][])),
      ]
      const isOther = (input: HTMLInputElement) => !source || input.checked !== input.defaultChecked
      const boxes = {
        ...(isOther(network) ? { network: network.checked } : {}),
        ...(source && isOther(unconfined) ? { unconfined: unconfined.checked } : {}),
      }
      const changes = source ? all.filter(([field]) => field.value !== field.defaultValue) : all
      const texts = Object.fromEntries(changes.map(([, key, value]) => [key, value]))
      const written = { ...texts, ...(isHttp ? {} : boxes) }
      return source ? written : { transport: isHttp ? 'http' : 'stdio', ...written }
    },
  }
}

const valuesLabel = { http: 'Headers', stdio: 'Variables', both: 'Headers or variables' }

const toLines = (pairs: Record<string, string>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

function toPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
