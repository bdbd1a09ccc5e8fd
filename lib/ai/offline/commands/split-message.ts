// Several commands in one message. A place is a boundary only when what follows begins like a command: "call Ann and
// then write to Bob" is one task.

import { kindWord } from './kind-words.ts'

const longestSplit = 20_000
const boundary = /\n+|; ?|[.!] +|,? +(?:and then|then|and also|and|also|dann|und|puis|et) +|, +/gi

const article = '(?:me )?(?:an?|another|the|one|my|new|two|three|four|five|eine?n?|une?)'
const bullet = '(?:[-*•] |\\d{1,2}[.)] )?(?:please |then |also )?'
const surely = new RegExp(
  `^${bullet}(?:(?:create|add|make|set up|erstelle|crée|ajoute) (?:${article} )*(?:[\\w-]+ )?(?:${kindWord}|aufgabe|seite|tâche)s?\\b|remind me\\b|(?:add|mark|move|rename|delete|remove|assign|complete|cancel|reopen|set|change) (?:the |this )?(?:${kindWord}|due date|priority|status) )`,
  'i',
)
const likely = new RegExp(
  `^${bullet}(?:create|add|make|remind me|mark|rename|delete|remove|move|append|replace|save|bookmark|assign|cancel|complete|reopen|postpone|set|change|note|erstelle|lösche|ajoute|supprime)\\b`,
  'i',
)
/** What takes all that follows it as its text. */
const takesText = new RegExp(
  `\\b(?:${kindWord}|append|note)\\b.*(?:\\bwith|:|\\bsaying|\\bcontaining)\\s*$`,
  'i',
)

/** The clauses of a message, trimmed; a very long message is one. */
export function splitMessage(message: string): string[] {
  if (message.length > longestSplit) return [message]
  const clauses: string[] = []
  let from = 0

  for (const match of message.matchAll(boundary)) {
    const end = match.index + match[0].length
    const before = message.slice(from, match.index)
    if (match[0].includes('\n') && takesText.test(before.split('\n', 1)[0] ?? '')) break
    if (!beginsCommand(match[0], message.slice(end, end + 120)) || isQuoteOpen(before)) continue
    clauses.push(before)
    from = end
  }
  clauses.push(message.slice(from))
  return withoutPreamble(clauses.map((clause) => clause.trim()).filter(Boolean)).flatMap(eachOfMany)
}

/** A plain "and" or comma divides only before what can be nothing but a command. */
function beginsCommand(separator: string, rest: string): boolean {
  const isWeak = /^,? +(?:and|also|und|et) +$|^, +$/i.test(separator)
  return (isWeak ? surely : likely).test(rest)
}

function isQuoteOpen(text: string): boolean {
  const straight = text.split('"').length - 1
  const curly = text.split(/[“„]/).length - text.split('”').length
  return straight % 2 === 1 || curly > 0
}

const many = new RegExp(
  `^(delete|remove|cancel|complete|finish|reopen|start|mark) (?:the )?(${kindWord})s (.{1,1000}?)( (?:as )?(?:done|open|in progress|cancell?ed|finished|complete))?$`,
  'i',
)

/** "Delete the tasks A and B" as two clauses. */
function eachOfMany(clause: string): string[] {
  const match = clause.length < 1200 ? many.exec(clause.replace(/[.!]$/, '')) : null
  const names = match?.[3]?.split(/, and |, | and /i).filter(Boolean) ?? []
  return names.length > 1
    ? names.map((name) => `${match![1]} ${match![2]} ${name}${match![4] ?? ''}`)
    : [clause]
}

/** "Please do the following:" before a list says nothing by itself. */
function withoutPreamble(clauses: string[]): string[] {
  const [first = '', ...rest] = clauses
  return rest.length > 0 && first.length < 120 && first.endsWith(':') && !likely.test(first) ? rest : clauses
}
