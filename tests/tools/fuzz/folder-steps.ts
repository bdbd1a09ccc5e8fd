// The steps of a write to a folder in which a server is killed.

/** In their order. Those of a move and of the trash are `moving` and `trashing`. */
export const steps = [
  'intent',
  'temp',
  'aside',
  'compared',
  'linked',
  'cleaned',
  'synced',
  'journal',
  'moving',
  'trashing',
] as const

export type Step = (typeof steps)[number] | null

export type Job = {
  run: number
  root: string
  folder: string
  data: string
  database: { url?: string; folder?: string }
  space_id: string
  connect: boolean
  step: Step
  /** How often the step is passed before. */
  after: number
  /** How long it works, if it is not killed. */
  ms: number
  edits: boolean
  /** How likely somebody saves between two steps. */
  savesBetween: number
}

export type Said = {
  ready?: true
  done?: true
  killed?: Step
  /** A text that was acknowledged. */
  stored?: string
  /** A text that somebody saved in the file. */
  saved?: string
  path?: string
  /** The text that it was saved over. */
  over?: string | undefined
}

/** The step that this operation of the disk is the beginning or the end of. */
export function stepOf(name: string, from: string, to: string | undefined, when: 'before' | 'after'): Step {
  const isTemp = from.startsWith('.void/tmp/')
  if (name === 'create' && isTemp) return when === 'before' ? 'intent' : 'temp'
  if (name === 'rename' && when === 'after') {
    if (to?.startsWith('.void/replaced/')) return 'aside'
    if (to?.startsWith('.void/tmp/')) return 'moving'
    if (to?.startsWith('.void/trash/')) return 'trashing'
  }
  if (name === 'read' && when === 'after' && from.startsWith('.void/replaced/')) return 'compared'
  if (name === 'link' && when === 'after' && isTemp) return 'linked'
  if (name === 'remove' && when === 'after' && isTemp) return 'cleaned'
  if (name === 'syncFolder' && when === 'after' && from !== '.void') return 'synced'
  return null
}
