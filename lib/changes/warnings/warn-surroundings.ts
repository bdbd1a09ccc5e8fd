import type { CardWarning } from '../../contract/changes/card.ts'
import { type ChangeAction, makesNew } from '../../contract/changes/decision.ts'
import type { Kind } from '../../contract/entities/kind.ts'
import { amount } from './warning-text.ts'

/** The surroundings of the entity that a draft would change. */
export type Surroundings = {
  /** How many entities link to it. */
  backlinks: number
  /** How many of those by the name that the draft would change. */
  renamed: number
  /** What refers to it by a field: pages below a page, tasks of a project. */
  children: { label: string; plural: string; count: number }[]
  /** When the owner changed it last with their own hands, if that was shortly before the draft was made. */
  edited_at: string | null
  /** How a task repeats that the draft would mark done, in words; `null`: it does not. */
  repeats: string | null
}

export const noSurroundings: Surroundings = {
  backlinks: 0,
  renamed: 0,
  children: [],
  edited_at: null,
  repeats: null,
}

export function warnSurroundings(
  { kind, action }: { kind: Kind; action: ChangeAction },
  { backlinks, renamed, children, edited_at, repeats }: Surroundings,
): CardWarning[] {
  const warnings: CardWarning[] = []
  const warn = (code: CardWarning['code'], message: string) =>
    warnings.push({ code, message, field: null, hunk: null })

  if (action === 'delete' && backlinks > 0) {
    const lead = backlinks === 1 ? 'links to it and would point' : 'link to it and would point'
    warn('has_backlinks', `${amount(backlinks, 'thing')} ${lead} nowhere.`)
  }
  if (action === 'update' && renamed > 0) {
    warn(
      'rewrites_links',
      `The links to it in ${amount(renamed, 'thing')} will be rewritten to the new name.`,
    )
  }
  for (const { label, plural, count } of action === 'delete' ? children : []) {
    if (count > 0) warn('has_children', `${amount(count, label, plural)} below it would lose their parent.`)
  }
  if (repeats !== null) {
    warn('repeats', `It repeats ${repeats}: marked done, it moves to its next due date and stays open.`)
  }
  if (!makesNew(action) && edited_at !== null) {
    warn('edited_lately', `You changed this ${kind.label} yourself shortly before the draft was made.`)
  }
  return warnings
}
