/** Who did something, as a sentence has it: "you", "the companion", "an import", or the agent's own short name. */
export function actorName(actor: string): string {
  const [kind = '', name = ''] = actor.split(/:(.*)/s)
  if (kind === 'owner') return 'you'
  if (kind === 'agent') return name === 'companion' ? 'the companion' : name
  return systems[name] ?? 'Void'
}

const systems: Record<string, string> = { import: 'an import', welcome: 'Void', glance: 'the glance' }

/** Who else changed what one is at work on: for the owner that is another window of their own. */
export const otherActorName = (actor: string): string =>
  actor === 'owner' ? 'you, in another window,' : actorName(actor)

/** The same at the beginning of a sentence. */
export const actorNameFirst = (actor: string): string => capital(actorName(actor))

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
