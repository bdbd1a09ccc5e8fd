/** Who did something, as a sentence has it: "you", "the companion", "an import", or the agent's own short name. */
export function actorName(actor: string): string {
  const [kind = '', name = ''] = actor.split(/:(.*)/s)
  if (kind === 'owner') return 'you'
  if (kind === 'agent') return name === 'companion' ? 'the companion' : name
  return systems[name] ?? 'Void'
}

const systems: Record<string, string> = { import: 'an import', welcome: 'Void' }

/** The same at the beginning of a sentence. */
export function actorNameFirst(actor: string): string {
  const name = actorName(actor)
  return name.charAt(0).toUpperCase() + name.slice(1)
}
