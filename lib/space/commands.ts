// Commands of a Space: pages below the page “Commands”, whose prompt a message `/name arguments` is sent with, as the
// owner's words. So only what the owner wrote or approved runs: their own page, a draft of an agent that they approved,
// or a text from outside that they approved as a command, as long as it is that text.

import { isFromOutside } from '../changes/grounding/untrusted.ts'
import { sha256 } from '../changes/payload.ts'
import {
  argumentsSign,
  type Command,
  commandsPage,
  type UsedCommand,
} from '../contract/companion/commands.ts'
import { commandCall, maxCommandName } from '../contract/limits.ts'
import { AppError, conflict, invalid, notFound } from '../core/errors.ts'
import { cleanLine } from '../core/text/clean.ts'
import { splitFrontMatter } from '../core/text/markdown.ts'
import { readProperties } from '../core/text/properties/read-properties.ts'
import { wideSlugOf } from '../core/text/slug.ts'
import type { Queryable } from '../db/pool.ts'
import { createAgentsRepo } from '../db/repos/agents.ts'
import { type CommandRow, createCommandsRepo } from '../db/repos/commands.ts'

const maxCommands = 200
const maxDescription = 200
/** Maximum characters of a message, which is what the prompt becomes. */
const maxMessage = 100_000
/** Names that the composer has uses of its own for. */
const reserved = new Set(['research'])

/** In the order of their pages; of two with a name the first. */
export async function listCommands(db: Queryable, spaceIds: readonly string[]): Promise<Command[]> {
  const rows = await createCommandsRepo(db).list(spaceIds, commandsPage, maxCommands)
  const byName = new Map<string, Command>()
  for (const command of rows.map(toCommand)) {
    const key = `${command.space_id} ${command.name}`
    const isCommand = command.name !== '' && command.prompt !== '' && !reserved.has(command.name)
    if (isCommand && !byName.has(key)) byName.set(key, command)
  }
  return [...byName.values()]
}

/** Lets the text of a page run as a command. Throws `AppError`: 404, 409 for another version than the page's. */
export async function approveCommand(
  db: Queryable,
  { space_id, id, version }: { space_id: string; id: string; version: number },
): Promise<Command> {
  const repo = createCommandsRepo(db)
  const row = (await repo.list([space_id], commandsPage, maxCommands)).find((each) => each.id === id)
  if (!row) throw notFound('command', id)
  if (row.version !== version)
    throw conflict('stale_version', 'The command has changed since. Read it again before you approve it.', {
      current: toCommand(row),
    })
  const approved_sha256 = hashOf(row)
  await repo.approve(id, approved_sha256)
  return toCommand({ ...row, approved_sha256 })
}

/**
 * The prompt of a message that is a command, and how it was called; `null` for any other message. Throws `AppError`: 409
 * `command_not_approved`, 400 for a prompt that is too long with its arguments or a companion that is not there.
 */
export async function expandCommand(
  db: Queryable,
  spaceId: string,
  message: string,
): Promise<{ text: string; used: UsedCommand; agent_id: string | undefined } | null> {
  const called = commandCall.exec(message)
  if (!called) return null
  const name = wideSlugOf(called[1]!, maxCommandName)
  const command = (await listCommands(db, [spaceId])).find((each) => each.name === name)
  if (!command) return null
  if (!command.approved) throw notApproved(command)
  const words = message.slice(called[0].length).trim()
  const used = { id: command.id, name, arguments: words }
  const agent_id = await findCompanionOf(db, command)
  return { text: fillPrompt(command.prompt, words), used, agent_id }
}

async function findCompanionOf(db: Queryable, { space_id, name, companion }: Command) {
  if (companion === null) return undefined
  const wanted = companion.toLowerCase()
  const agents = await createAgentsRepo(db).listAnswering(space_id)
  const found = agents.find((agent) => agent.slug === wanted || agent.name.toLowerCase() === wanted)
  if (!found)
    throw invalid(`text: /${name} asks the companion “${companion}”, who does not answer in this Space.`)
  return found.id
}

/** The prompt with its arguments, which follow it where it does not say where they go. */
export function fillPrompt(prompt: string, words: string): string {
  const parts = prompt.split(argumentsSign)
  const length = prompt.length + (parts.length - 1) * words.length
  if (length > maxMessage) throw invalid(`text: the command comes to more than ${maxMessage} characters.`)
  if (parts.length > 1) return parts.join(words)
  return words === '' ? prompt : `${prompt}\n\n${words}`
}

const notApproved = ({ id, name, version }: Command) =>
  new AppError(
    'command_not_approved',
    409,
    `The text of /${name} is from outside. Read it and approve it as a command, then it runs.`,
    { details: { id, version } },
  )

const hashOf = ({ title, body }: CommandRow) => sha256(`${title}\n${body}`)

function toCommand(row: CommandRow): Command {
  const { yaml, content } = splitFrontMatter(row.body)
  const { properties } = readProperties(yaml)
  const prompt = content.trim()
  const words = (name: string) => cleanLine(String(properties[name] ?? '')).slice(0, maxDescription)
  const firstLine = prompt.slice(0, prompt.search(/\n|$/))
  return {
    id: row.id,
    space_id: row.space_id,
    name: wideSlugOf(row.title.slice(0, maxCommandName * 4), maxCommandName),
    description: (words('description') || cleanLine(firstLine).slice(0, maxDescription)).toWellFormed(),
    prompt,
    takes_arguments: prompt.includes(argumentsSign),
    companion: words('companion') || null,
    approved: isOwn(row) || row.approved_sha256 === hashOf(row),
    version: row.version,
  }
}

/** Whether the owner wrote it, or approved it as a draft, and nothing from outside was written into it since. */
function isOwn({ origin, drafted, updated_by }: CommandRow): boolean {
  if (isFromOutside(updated_by)) return false
  return origin === 'owner' || (origin === 'agent' && drafted)
}
