// A model's arguments, made those of a tool: names that models expect are taken, and what is wrong is said with the allowed
// values and, where there is only one, the corrected call.

import { z } from 'zod'
import { correctFields } from '../../contract/correct-fields.ts'
import { parseUntrusted } from '../../core/parse-untrusted.ts'
import { isRecord } from '../../core/record.ts'
import { isSpace, otherSpace } from './check-proposal.ts'
import type { Tool, ToolContext } from './registry.ts'

/** `notes` for the model, about names that were taken for others. */
export type ReadArguments = { problem: string } | { input: unknown; notes: string[] }

/** May throw an `AppError`, for a path that leads nowhere. */
export async function readArguments(tool: Tool, args: unknown, ctx: ToolContext): Promise<ReadArguments> {
  if (!isRecord(args))
    return { problem: `The arguments of ${tool.name} must be a JSON object, not ${JSON.stringify(args)}.` }
  const notes: string[] = []
  const named = await takeNames(tool, args, ctx, notes)
  const { problems, corrected } = findProblems(tool, named, ctx)
  if (problems.length > 0) return { problem: describe(tool, problems, corrected) }
  const parsed = parseUntrusted(tool.input, named)
  if (parsed.success) return { input: parsed.data, notes }
  const lines = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.join('.') || 'call'}: ${message}`)
  return { problem: describe(tool, lines, null) }
}

type Args = Record<string, unknown>

/** The arguments by their right names; `null` for an optional one is the same as none. */
async function takeNames(tool: Tool, args: Args, ctx: ToolContext, notes: string[]): Promise<Args> {
  const { names = {}, byPath, byLines } = tool
  const taken: Args = {}
  for (const [name, value] of Object.entries(args)) {
    if (value === null || isOwnSpace(tool, name, value, ctx)) continue
    const right = Object.hasOwn(names, name) ? names[name] : undefined
    if (right === undefined || right in args || right in taken) taken[name] = value
    else {
      taken[right] = value
      notes.push(`"${name}" was taken as "${right}". Use "${right}".`)
    }
  }
  const lined = byLines ? takeLines(byLines, taken, notes) : taken
  if (!byPath) return lined
  const addressed = takeAddress(byPath, lined, notes)
  const { path, ...rest } = addressed
  if (typeof path !== 'string' || addressed[byPath.id] !== undefined) return addressed
  const { kind, id } = await ctx.services.findByPath(ctx.actor, { space_id: ctx.space_id, path })
  notes.push(`path was taken as the ${kind} ${id}. Use ${byPath.id}.`)
  return { ...rest, [byPath.id]: id, ...(byPath.kind ? { [byPath.kind]: kind } : {}) }
}

/** The id of the Space that a call is in anyway; that of another one is refused, unless the tool has such a field. */
const isOwnSpace = ({ input }: Tool, name: string, value: unknown, ctx: ToolContext): boolean =>
  name === 'space_id' &&
  !(input instanceof z.ZodObject && Object.hasOwn(input.shape, name)) &&
  isSpace(value, ctx.space_id)

const address =
  /^void:\/\/(?:[^/]{1,100}\/)?([a-z_-]{1,40})\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:#\d{1,9})?$/

/** The entity of an address as results show them, in place of its id. */
function takeAddress({ id, kind }: NonNullable<Tool['byPath']>, args: Args, notes: string[]): Args {
  const given = args[id]
  const [, named, found] = (typeof given === 'string' && address.exec(given)) || []
  if (!named || !found) return args
  const type = named.replaceAll('-', '_')
  const also = kind && args[kind] === undefined ? { [kind]: type } : {}
  notes.push(`The address was taken as the ${type} ${found}. Use ${kind ? `${kind} and ` : ''}${id}.`)
  return { ...args, ...also, [id]: found }
}

const range = /^L?(\d{1,7})(?:\s*(?:[-–:,]|to)\s*L?(\d{1,7}))?$/i

/** A range of lines, such as "80-160" or [80, 160], in place of its ends. */
function takeLines({ from, to }: NonNullable<Tool['byLines']>, args: Args, notes: string[]): Args {
  const { lines, ...rest } = args
  const words = Array.isArray(lines) && lines.length <= 2 ? lines.join('-') : String(lines ?? '')
  const [, first, last = first] = range.exec(words.trim()) ?? []
  if (!first || from in args || to in args) return args
  notes.push(`lines was taken as ${from} ${first} and ${to} ${last}. Use these.`)
  return { ...rest, [from]: Number(first), [to]: Number(last) }
}

function findProblems(tool: Tool, args: Record<string, unknown>, ctx: ToolContext) {
  const first =
    tool.input instanceof z.ZodObject
      ? correctFields(tool.input, args, {
          ...(tool.names ? { names: tool.names } : {}),
          values: tool.values ?? {},
          refused: { space_id: otherSpace(ctx.space_id) },
          within: tool.within,
        })
      : { problems: [], corrected: args }
  if (!tool.check) return first
  // What can be seen of the rest is said in the same answer.
  const more = tool.check(first.corrected ?? args, ctx)
  return {
    problems: [...first.problems, ...more.problems],
    corrected: first.problems.length > 0 && !first.corrected ? null : more.corrected,
  }
}

/** Characters of one text in a corrected call; the model has the rest. */
const maxShown = 120

function describe(
  { name }: Tool,
  problems: readonly string[],
  corrected: Record<string, unknown> | null,
): string {
  const lines = problems.map((problem) => `- ${problem}`)
  const call =
    corrected &&
    JSON.stringify(corrected, (_, value: unknown) =>
      typeof value === 'string' && value.length > maxShown
        ? `${value.slice(0, maxShown).toWellFormed()}… (as you sent it)`
        : value,
    )
  return [
    `The call of ${name} was not valid, so nothing was done:`,
    ...lines,
    call && call.length < 4000 ? `Corrected call: ${name} ${call}` : 'Correct it and call again.',
  ].join('\n')
}
