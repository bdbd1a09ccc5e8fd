import type { Effect } from '../contract/effects.ts'
import type { Asked } from '../db/repos/turns.ts'

export type OpenPanels = {
  /** Whether the effect concerns anything that is seen: a newer version of what is not open does not. */
  concerns(effect: Effect): boolean
  /** Notes what the effect opens and closes. */
  note(effect: Effect): void
}

/** The things that were open when something was asked, and that the turn has opened since. */
export function createOpenPanels({ view, desk }: Pick<Asked, 'view' | 'desk'>): OpenPanels {
  const tabs = (desk?.tabs ?? []).flatMap((tab) => ('id' in tab ? [tab.id] : []))
  const open = new Set([...tabs, ...(view ? [view.entityId] : [])])

  return {
    concerns: (effect) =>
      effect.type !== 'updateContent' || ('id' in effect.panel && open.has(effect.panel.id)),
    note(effect) {
      if (!('panel' in effect) || !('id' in effect.panel)) return
      if (effect.type === 'closePanel') open.delete(effect.panel.id)
      else open.add(effect.panel.id)
    },
  }
}
