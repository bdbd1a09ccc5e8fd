// A message as a list of commands. It is one only if its first clause is; a message that merely mentions a verb is a
// question.

import { readAppend, readChange } from './change.ts'
import { type Clause, type Command, type Created, type Outcome, refusing } from './command.ts'
import { readCreate } from './create.ts'
import { kindWord } from './find-target.ts'
import { inParallel, type Plan } from './plan.ts'
import { plainName, type Reply, say } from './reply.ts'

const maxCommands = 20
/** A longer message is one clause. */
const maxSplit = 20_000
const readers = [readCreate, readAppend, readChange]
const question = /^(?:how|what|when|where|who|why|which|is|are|does|do|did|should|can i|could i|may i)\b/i
const politeness =
  /^(?:(?:hey|hi|hello|okay|ok|so|and|then|also|now|please|just)[,:]? |(?:can|could|would|will) you (?:please )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to )/i

const bullet = '(?:[-*•] |\\d{1,2}[.)] )?(?:please |also )?'
const verb =
  '(?:create|add|make|remind me|mark|rename|delete|remove|append|save|bookmark|cancel|complete|finish|reopen|postpone|set|change)'
const newItem = `(?:an?|another) (?:new )?(?:${kindWord})`
/** A plain "and" or comma divides only before what can be nothing but a command: "wash and delete the paint" is one. */
const boundary = new RegExp(
  `(?:\\n+|; ?|(?<!(?:^|\\n)\\d{1,2})[.!] +|,? +(?:and )?then +)(?=${bullet}${verb}\\b)|(?:,? +and (?:also )?|, +)(?=${verb} (?:${newItem}|(?:the|this) (?:${kindWord}|due date|status))\\b|remind me\\b|${newItem} (?:called|named|titled|to)\\b)`,
  'gi',
)
/** What takes all lines below it as its text. */
const takesText = new RegExp(`\\b(?:${kindWord}|append|add)\\b.*(?:\\bwith|:|\\bsaying)\\s*$`, 'i')

/** What takes the rest of its line, whatever verbs stand in it. */
const takesLine = new RegExp(
  `\\b(?:${kindWord})\\b.*\\b(?:with|saying|containing)(?: (?:the )?(?:text|content|body))?:|^(?:append|add)\\b.* to [^:]*:`,
  'i',
)

/** The commands of a message; empty when it is something else. */
export function readCommands(message: string, now: Date): Command[] {
  const commands: Command[] = []
  for (const said of splitMessage(message)) {
    const read = readClause(toClause(said, commands.length > 0), now)
    // "Please do the following:" before the first command is no command.
    if (!read && commands.length === 0 && said.endsWith(':')) continue
    if (!read && commands.length === 0) return []
    const words = plainName(said.slice(0, 120))
    commands.push(...(read ?? [refusing(`I did not understand “${words}” as something to draft.`)]))
    if (commands.length >= maxCommands) break
  }
  return commands.slice(0, maxCommands)
}

/** Drafts what can be drafted and says what came of each command. */
export function* draftAll(commands: readonly Command[]): Plan<Reply> {
  const created: Created[] = []
  const plans = commands.map(({ creates, draft }) => {
    const earlier = [...created]
    if (creates) created.push({ ...creates, draft: () => draft(earlier) })
    return draft(earlier)
  })
  return report(yield* inParallel(plans))
}

function splitMessage(message: string): string[] {
  if (message.length > maxSplit) return [message]
  const clauses: string[] = []
  let from = 0
  for (const { 0: separator, index } of message.matchAll(boundary)) {
    const before = message.slice(from, index)
    if (separator.includes('\n') && takesText.test(before.split('\n', 1)[0] ?? '')) break
    if (!separator.includes('\n') && takesLine.test(lastLine(before))) continue
    if (before.split('"').length % 2 === 0 || before.split('“').length > before.split('”').length) continue
    clauses.push(before)
    from = index + separator.length
  }
  return [...clauses, message.slice(from)].map((clause) => clause.trim()).filter(Boolean)
}

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1)

/** In a later clause the verb may be left out: "and a page called Tides". */
function toClause(said: string, isLater: boolean): Clause {
  const [first = '', ...below] = said.split('\n')
  let head = first.replace(/\s+/g, ' ').replace(/^(?:[-*•]|\d{1,2}[.)]) /, '')
  for (let before = ''; before !== head; ) {
    before = head
    head = head.trim().replace(politeness, '')
  }
  head = head.replace(/[,;]? (?:please|thanks|thank you)[.!]?$/i, '').replace(/\?$/, '')
  if (isLater && /^(?:an?|another) /i.test(head)) head = `add ${head}`
  return { head, below: below.join('\n').trim(), said }
}

function readClause(clause: Clause, now: Date): Command[] | null {
  if (question.test(clause.head)) return null
  for (const read of readers) {
    const commands = read(clause, now)
    if (commands) return commands
  }
  return null
}

function report(outcomes: readonly Outcome[]): Reply {
  const drafts = outcomes.flatMap((outcome) => ('draft' in outcome ? [outcome.draft] : []))
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []))
  const lines = new Set(drafts.map(({ summary }) => `- ${plainName(summary.replaceAll('`', '’'))}`))
  if (lines.size === 0) return say(...new Set(problems))
  const [what, them] = lines.size === 1 ? ['this change', 'it'] : [`${lines.size} related changes`, 'them']
  return say(
    `I drafted ${what}:`,
    [...lines].join('\n'),
    ...new Set(problems),
    `Nothing has changed yet. Approve or reject ${them} here or in the Inbox.`,
  )
}
