// Every warning of a card, from the payload and the rows alone. Rules only: no model, no word of the agent's own.

import type { CardField, CardWarning } from '../../contract/changes/card.ts'
import type { ChangeAction, DroppedChange } from '../../contract/changes/decision.ts'
import type { Provenance } from '../../contract/changes/provenance.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { textOf } from '../../contract/entities/kind.ts'
import { maskCode } from '../../core/text/mask-code.ts'
import { splitLines } from '../../core/text/split-lines.ts'
import { stretchesOf } from './stretch.ts'
import { warnHidden, warnMixedScripts } from './warn-characters.ts'
import { warnDrops } from './warn-drops.ts'
import { warnLinks } from './warn-links.ts'
import { warnHtml, warnRemoteImages } from './warn-markup.ts'
import { warnProvenance, warnQuotes } from './warn-provenance.ts'
import { warnDeletion, warnWhiteSpace } from './warn-size.ts'
import { type Surroundings, warnSurroundings } from './warn-surroundings.ts'

/** Of one kind on one field; how many more there are is said in the last of them. */
const maxRepeats = 20

type Draft = {
  kind: Kind
  action: ChangeAction
  fields: readonly CardField[]
  provenance: Provenance
  /** Fields by their labels. */
  drops: readonly DroppedChange[]
}

/** The warnings of a draft whose fields are whole, those on the change as a whole first. */
export function cardWarnings(draft: Draft, surroundings: Surroundings): CardWarning[] {
  return [
    ...(draft.action === 'call' ? [outsideCall] : []),
    ...warnProvenance(draft.provenance),
    ...warnDrops(draft.drops),
    ...warnSurroundings(draft, surroundings),
    ...(draft.action === 'delete'
      ? []
      : draft.fields.flatMap((field) => bounded(fieldWarnings(field, draft.action)))),
  ]
}

const outsideCall: CardWarning = {
  code: 'outside_call',
  message: 'This acts outside of Void, and cannot be undone here.',
  field: null,
  hunk: null,
}

function fieldWarnings(field: CardField, action: ChangeAction): CardWarning[] {
  const before = textOf(field.before)
  const after = textOf(field.after)
  const masked = { before: splitLines(maskCode(before)), after: splitLines(maskCode(after)) }
  const stretches = stretchesOf(field, masked)
  return [
    ...(action === 'update' ? [...warnDeletion(field), ...warnWhiteSpace(field)] : []),
    ...stretches.flatMap((stretch) => [
      ...warnLinks(stretch),
      ...warnRemoteImages(stretch, after),
      ...warnHtml(stretch),
      ...warnHidden(stretch),
      ...warnMixedScripts(stretch),
    ]),
    ...warnQuotes(field),
  ]
}

function bounded(warnings: readonly CardWarning[]): CardWarning[] {
  return [...Map.groupBy(warnings, ({ code }) => code).values()].flatMap((alike) => {
    if (alike.length <= maxRepeats) return alike
    const last = alike[maxRepeats - 1]!
    const more = { ...last, message: `${last.message} The same in ${alike.length - maxRepeats} more places.` }
    return [...alike.slice(0, maxRepeats - 1), more]
  })
}
