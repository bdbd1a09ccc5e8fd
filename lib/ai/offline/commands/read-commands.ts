// A message as a list of commands. It is one only if its first clause is; a message that merely mentions a verb is a
// question.

import { readAppend } from './append.ts'
import { readAssign } from './assign.ts'
import type { Clause, Command, ReadCommand } from './command.ts'
import { refusing } from './command.ts'
import { readCreate } from './create.ts'
import { readDelete } from './delete.ts'
import { readMove } from './move.ts'
import { readNote } from './note.ts'
import { readRemind } from './remind.ts'
import { readRename } from './rename.ts'
import { readReplace } from './replace.ts'
import { readSaveLink } from './save-link.ts'
import { readSetField } from './set-field.ts'
import { readSetStatus } from './set-status.ts'
import { splitMessage } from './split-message.ts'
import { toEnglish } from './to-english.ts'

/** In the order in which they are tried: the narrow ones first. */
const readers: ReadCommand[] = [
  readSaveLink,
  readRemind,
  readAssign,
  readCreate,
  readNote,
  readReplace,
  readAppend,
  readRename,
  readSetStatus,
  readSetField,
  readMove,
  readDelete,
]

const mostCommands = 20
const question =
  /^(?:how|what|when|where|who|why|which|is|are|does|do|did|should|can i|could i|may i|wie|was|wann|wo|comment|quand)\b/i
const politeness =
  /^(?:(?:hey|hi|hello|ok|okay|so|and|then|also|now|void|please|pls|kindly|just|bitte)[,:]? |(?:can|could|would|will) you (?:please |kindly )?|i(?:'d| would) like (?:you )?to |i want (?:you )?to |i need you to |let(?:'s|’s| us) |go ahead and )/i

/** The commands of a message; empty when it is something else. */
export function readCommands(message: string, now: Date): Command[] {
  const clauses = splitMessage(message).slice(0, mostCommands + 1)
  const commands = clauses.map((said) => readCommand(said, now))
  if (!commands[0]) return []
  return commands.slice(0, mostCommands).map((command, at) => command ?? notUnderstood(clauses[at]!))
}

function readCommand(said: string, now: Date): Command | null {
  const clause = toClause(said)
  if (clause.head === '' || question.test(clause.head)) return null
  for (const read of readers) {
    const command = read(clause, now)
    if (command) return command
  }
  return null
}

function toClause(said: string): Clause {
  const [first = '', ...below] = said.trim().split('\n')
  let head = first
    .replace(/\s+/g, ' ')
    .replace(/^(?:[-*•]|\d{1,2}[.)]) /, '')
    .trim()
  for (let before = ''; before !== head; ) {
    before = head
    head = head.replace(politeness, '')
  }
  head = head.replace(/[,;]? (?:please|pls|thanks|thank you|bitte)[.!]?$/i, '').replace(/(?<!\?)\?$/, '')
  return { head: toEnglish(head), below: below.join('\n').trim(), said }
}

function notUnderstood(said: string): Command {
  const words = said.replace(/\s+/g, ' ').trim().slice(0, 120)
  return refusing(said, `I did not understand “${words}” as something to draft.`)
}
