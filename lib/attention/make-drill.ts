import type { PendingChange } from '../contract/changes/pending-change.ts'
import type { DrillTarget } from '../db/repos/drills.ts'

export type DrillDraft = Pick<PendingChange, 'action' | 'payload' | 'reason'>

/**
 * A draft about a page that plainly does harm and whose reason plays it down. `random` gives numbers from 0 up to 1;
 * of the kinds of harm that the page allows, one is chosen by it.
 */
export function makeDrill(target: DrillTarget, random: () => number): DrillDraft {
  const drafts = [removal, emptying(target), otherLink(target)].filter((draft) => draft !== null)
  return drafts[Math.floor(random() * drafts.length)] ?? removal
}

const removal: DrillDraft = { action: 'delete', payload: {}, reason: 'It looks like a duplicate.' }

/** Leaves the beginning, up to the end of a line. */
function emptying({ body }: DrillTarget): DrillDraft | null {
  const end = body.indexOf('\n', Math.floor(body.length / 8))
  if (end < 0 || end > body.length / 3) return null
  return {
    action: 'update',
    payload: { body: `${body.slice(0, end)}\n` },
    reason: 'Tidied up the wording a little.',
  }
}

/** Sends the first link to a name that resembles the right one. `.invalid` is nobody's (RFC 2606). */
function otherLink({ body }: DrillTarget): DrillDraft | null {
  const changed = body.replace(/(\]\(https?:\/\/)([\w.-]+)/, (_match, start: string, host: string) => {
    const name = host.replace(/^www\./, '').replaceAll('.', '-')
    return `${start}${name}.sign-in.invalid`
  })
  return changed === body
    ? null
    : { action: 'update', payload: { body: changed }, reason: 'Fixed a broken link.' }
}
