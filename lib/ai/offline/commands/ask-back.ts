import { plainName } from '../questions/plain-text.ts'
import { labelOf } from './kind-words.ts'
import type { Entity, Match, Target } from './target.ts'

/** What to ask when a target is not one thing: never a guess, always the candidates. */
export function askBack(match: Exclude<Match, { is: 'one' }>, target: Target): string {
  const name = `“${plainName(target.names[0] ?? '')}”`
  switch (match.is) {
    case 'error':
      return `I could not tell what you mean: ${match.message.replace(/\.$/, '')}.`
    case 'many':
      return `There is more than one ${name}. Say it again with the kind before the name, such as “${labelOf(match.candidates[0]!.kind)} ${plainName(match.candidates[0]!.title)}”:\n\n${list(match.candidates)}`
    case 'none':
      if (/^(?:all|everything|every)\b/i.test(target.names[0] ?? '')) {
        return 'I draft changes for things that are named, one by one, so I drafted nothing. Name each of them.'
      }
      return match.near.length > 0
        ? `I found nothing called ${name}, so I drafted nothing for it. Did you mean one of these? Name it in full:\n\n${list(match.near)}`
        : `I found nothing called ${name}, so I drafted nothing for it.`
  }
}

const list = (entities: Entity[]) =>
  entities.map(({ kind, title }) => `- ${labelOf(kind)} **${plainName(title)}**`).join('\n')
