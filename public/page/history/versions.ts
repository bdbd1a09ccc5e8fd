// The audit rows of a page as its history. The autosave of the editor leaves many rows: those of one editing session are
// one version.

import type { AuditRow } from '../../../lib/contract/audit.ts'
import type { EntityVersion, VersionDiff } from '../../../lib/contract/entities.ts'
import { fieldLabel } from '../../../lib/core/text/properties/field-label.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { icon } from '../../ui/components/icon.ts'
import { visible } from '../../ui/components/visible.ts'
import { renderDiff } from '../../ui/diff/render-diff.ts'
import { type Child, el } from '../../ui/dom.ts'
import { exactTime, timeAgo } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { fieldValue } from '../../ui/words/field-value.ts'
import { actorName } from '../../ui/words/names.ts'

export type Version = {
  /** The newest row's. */
  seq: number
  /** The oldest row's. */
  since: number
  at: string
  actor: string
  action: string
  version: number | null
  before: Record<string, unknown>
  after: Record<string, unknown>
  pending_change_id: string | null
  undoes: number | null
  /** How many rows it is made of. */
  saves: number
}

const sessionMs = 10 * 60_000

/** Newest first, as the rows are. */
export function groupVersions(rows: readonly AuditRow[]): Version[] {
  const versions: Version[] = []
  let earliest = 0

  for (const row of rows) {
    const last = versions.at(-1)
    const at = Date.parse(row.at)
    if (last && isSameSession(last, row) && earliest - at <= sessionMs) {
      last.before = { ...last.before, ...row.before }
      last.after = { ...row.after, ...last.after }
      last.since = row.seq
      last.saves += 1
    } else {
      const { seq, actor, action, version, pending_change_id, undoes } = row
      const sides = { before: { ...row.before }, after: { ...row.after } }
      versions.push({
        seq,
        since: seq,
        at: row.at,
        actor,
        action,
        version,
        pending_change_id,
        undoes,
        ...sides,
        saves: 1,
      })
    }
    earliest = at
  }
  return versions.map(dropUnchanged)
}

const isSameSession = (version: Version, row: AuditRow) =>
  version.action === 'update' &&
  row.action === 'update' &&
  version.actor === row.actor &&
  !version.pending_change_id &&
  !row.pending_change_id &&
  version.undoes === null &&
  row.undoes === null

// What was changed and changed back within a session has not changed.
function dropUnchanged(version: Version): Version {
  if (version.action !== 'update') return version
  const changed = Object.keys(version.after).filter((name) => version.before[name] !== version.after[name])
  const pick = (side: Record<string, unknown>) =>
    Object.fromEntries(changed.map((name) => [name, side[name]]))
  return { ...version, before: pick(version.before), after: pick(version.after) }
}

/** What happened, as the end of "You …". */
export function describeVersion({ action, before, after, pending_change_id, undoes }: Version): string {
  const how = pending_change_id ? ' from a draft' : undoes !== null ? ', undoing an earlier change' : ''
  if (action === 'create') return `created the page${how}`
  if (action === 'delete') return `deleted it${how}`
  if (action === 'restore') return `restored it${how}`
  if (action === 'redact') return 'removed a line from the history'
  const did = [
    'body' in after && 'edited the text',
    'title' in after && `renamed it from ${quoteShown(String(before.title))}`,
    'parent_id' in after && 'moved it',
    'position' in after && !('parent_id' in after) && 'reordered it',
  ].filter((part) => part !== false)
  return `${listed(did.length > 0 ? did : ['saved it without changes'])}${how}`
}

const listed = (parts: string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

// What every history shows of a version besides its diff: the reason, and undo.

/** The draft that a version came from: its agent, the owner's message, and the agent's reason. */
export function renderReason(reason: EntityVersion['reason']): Child {
  if (!reason) return null
  const { agent, asked, note, pending_change_id } = reason
  return el(
    'div',
    { class: 'version-reason' },
    el(
      'p',
      {},
      'Drafted by ',
      visible(agent.name),
      asked && [' after you asked ', el('q', { dir: 'auto' }, visible(short(asked)))],
    ),
    note !== '' &&
      el(
        'p',
        {},
        el('span', { class: 'card-label' }, 'Reason'),
        ' ',
        el('span', { dir: 'auto' }, visible(note)),
      ),
    el(
      'a',
      { class: 'button button-small', href: `/inbox/${pending_change_id}?tab=decided` },
      icon('inbox'),
      'Open draft',
    ),
  )
}

type Undoable = Pick<EntityVersion, 'seq' | 'undone'> & { since?: number }

/** The button that undoes a version; for one that is undone, by whom and when. */
export function renderUndo(app: App, { seq, since, undone }: Undoable, onUndone: () => void): HTMLElement {
  if (undone) {
    return el(
      'p',
      { class: 'dim small' },
      `Undone by ${actorName(undone.by)} `,
      timeAgo(undone.at, app.now()),
    )
  }
  const run = async () => {
    button.disabled = true
    const { undoChange } = await import('../../app/actions/undo-change.ts')
    const path = `/api/audit/${seq}/undo`
    if (await undoChange(app, since === undefined ? { path } : { path, since })) onUndone()
    button.disabled = false
  }
  const button = el(
    'button',
    { class: 'button button-small', type: 'button', id: `undo-${seq}`, onclick: run },
    icon('undo'),
    'Undo',
  )
  return button
}

const short = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

export type Comparable = { version: number; at: string }

/** The versions that can be compared. */
export const comparable = (versions: readonly Pick<EntityVersion, 'version' | 'at'>[]): Comparable[] =>
  versions.flatMap(({ version, at }) => (version === null ? [] : [{ version, at }]))

/** Two versions to choose, the newest first, and the differences. `path` is that of the entity. */
export function renderCompare(app: App, path: string, versions: readonly Comparable[]): HTMLElement | null {
  if (versions.length < 2) return null
  const result = el('div', { class: 'compare-result version-change', 'aria-live': 'polite' })
  const from = choice('compare-from', 'From', versions, 1)
  const to = choice('compare-to', 'To', versions, 0)
  return el(
    'form',
    { class: 'compare', onsubmit: compare },
    el('label', { class: 'field-label', for: 'compare-from' }, 'Version'),
    from,
    el('label', { class: 'field-label', for: 'compare-to' }, 'with'),
    to,
    el('button', { class: 'button button-small', type: 'submit', id: 'compare' }, 'Compare'),
    result,
  )

  async function compare(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      const query = withQuery(`${path}/history/diff`, { from: from.value, to: to.value })
      result.replaceChildren(...renderFields(await app.api.get<VersionDiff>(query), app.now()))
    } catch (error) {
      result.replaceChildren(el('p', { class: 'problem' }, messageOf(error)))
    }
  }
}

function choice(
  id: string,
  label: string,
  versions: readonly Comparable[],
  selected: number,
): HTMLSelectElement {
  return el(
    'select',
    { class: 'field', id, 'aria-label': `${label} version` },
    versions.map(({ version, at }, index) =>
      el('option', { value: String(version), selected: index === selected }, `${version} · ${exactTime(at)}`),
    ),
  )
}

function renderFields({ fields, from, to }: VersionDiff, now: Date): HTMLElement[] {
  const wordsOf = (name: string, value: unknown) =>
    /_(?:on|at)$/.test(name) ? fieldValue({ name, value }, { references: {}, now }) : textOf(value) || 'none'
  if (fields.length === 0) return [el('p', { class: 'dim' }, `Versions ${from} and ${to} are identical.`)]
  return fields.map(({ name, before, after }) =>
    el(
      'section',
      { class: 'compare-field' },
      el('h2', {}, fieldLabel(name)),
      [before, after].some(
        (value) => typeof value === 'string' && (value.includes('\n') || value.length > 160),
      )
        ? renderDiff(textOf(before), textOf(after), `compare-${name}`)
        : el(
            'p',
            {},
            el('del', {}, visible(wordsOf(name, before))),
            ' → ',
            el('ins', {}, visible(wordsOf(name, after))),
          ),
    ),
  )
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
