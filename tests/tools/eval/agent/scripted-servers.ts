// A model that follows the steps of a task over a server of either wire, as a real one is reached.

import { randomUUID } from 'node:crypto'
import type { TrialSpace } from '../../../../lib/companion/trial/trial-space.ts'
import {
  type Block,
  type FakeAnthropic,
  startFakeAnthropic,
  text,
  toolUse,
} from '../../../helpers/fake-anthropic.ts'
import { profiles, startModelServer } from '../../../helpers/model-servers.ts'
import type { Step } from './solutions.ts'

export type ScriptedServer = {
  url: string
  /** What it says from now on. */
  follow(steps: readonly Step[], space: TrialSpace): void
  /** How often it was asked. */
  calls(): number
  close(): Promise<void>
}

type Dict = Record<string, unknown>

const nothing: Step = { say: 'I have nothing to say.' }

/** The Messages API, with its own citations. It refuses what the real one refuses. */
export async function startMessagesServer(): Promise<ScriptedServer & Pick<FakeAnthropic, 'refused'>> {
  const script = createScript()
  const fake = await startFakeAnthropic(
    [
      ({ body }) => {
        const step = script.next(JSON.stringify(body.messages))
        if ('calls' in step)
          return step.calls.map(([name, input]) =>
            toolUse(name, input, { id: `toolu_${randomUUID().slice(0, 8)}` }),
          )
        return segmentsOf(step.say).map((segment) => toBlock(segment, body.messages, script.space()))
      },
    ],
    { repeatLast: true },
  )
  return {
    url: fake.url,
    follow: script.follow,
    refused: fake.refused,
    calls: () => fake.requests.length,
    close: fake.close,
  }
}

/** Chat Completions, as vLLM has it: passages are text there, and are cited by number. */
export async function startChatServer(): Promise<ScriptedServer> {
  const script = createScript()
  const profile = profiles.find(({ name }) => name === 'vLLM')!
  const server = await startModelServer(profile, (seen) => {
    const step = script.next(seen.text)
    if ('calls' in step) return { calls: step.calls.map(([name, input]) => ({ name, input: input as Dict })) }
    return {
      text: segmentsOf(step.say)
        .map(({ words, cited }) => words + (cited ? markOf(cited, seen.text, script.space()) : ''))
        .join(''),
    }
  })
  return {
    url: server.url,
    follow: script.follow,
    calls: () => server.bodies.length,
    close: async () => {},
  }
}

function createScript() {
  let rest: Step[] = []
  let known: TrialSpace | null = null
  const space = () => {
    if (!known) throw new Error('The server follows no task.')
    return known
  }
  return {
    space,
    follow(steps: readonly Step[], of: TrialSpace) {
      rest = [...steps]
      known = of
    },
    /** With the ids in place of the names that a step has for them. */
    next(seen: string): Step {
      const step = rest.shift() ?? nothing
      if ('say' in step) return step
      return { calls: step.calls.map(([name, input]) => [name, withIds(input, seen, space()) as Dict]) }
    },
  }
}

function withIds(value: unknown, seen: string, space: TrialSpace): unknown {
  if (typeof value === 'string') {
    if (/^@./.test(value)) return space.find(value.slice(1)).id
    if (/^\^./.test(value)) return space.find(value.slice(1)).type
    return /^#\d$/.test(value) ? newIds(seen, space)[Number(value.slice(1))] : value
  }
  if (Array.isArray(value)) return value.map((each) => withIds(each, seen, space))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each, seen, space)]))
}

/** Of entities that results name and the Space does not have yet, in their order. */
function newIds(seen: string, space: TrialSpace): string[] {
  const ids = [...seen.matchAll(/entity_id\W{1,8}([0-9a-f-]{36})/g)].map(([, id]) => id!)
  return [...new Set(ids)].filter((id) => space.titleOf(id) === id)
}

type Cited = { title: string; words: string }

function segmentsOf(say: string): { words: string; cited: Cited | null }[] {
  const parts = say.split(/\{\{(.+?)\}\}/)
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, at) => {
    const [title = '', words = ''] = (parts[2 * at + 1] ?? '').split('::')
    return { words: parts[2 * at]!, cited: title === '' ? null : { title, words } }
  }).filter(({ words }) => words !== '')
}

type Segment = ReturnType<typeof segmentsOf>[number]
type Sources = { type: string; source: string; title: string; content: { text: string }[] }

function toBlock({ words, cited }: Segment, messages: { content: unknown }[], space: TrialSpace): Block {
  if (!cited) return text(words)
  const { id } = space.find(cited.title)
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Dict[]) : []))
  const all = blocks
    .flatMap((block) => (Array.isArray(block.content) ? (block.content as Dict[]) : [block]))
    .filter(({ type }) => type === 'search_result') as unknown as Sources[]
  for (const [index, { source, title, content }] of all.entries()) {
    const at = content.findIndex((part) => part.text.includes(cited.words))
    if (!source.includes(id) || at === -1) continue
    const citation = {
      ...{ type: 'search_result_location', source, title, cited_text: content[at]!.text },
      ...{ search_result_index: index, start_block_index: at, end_block_index: at + 1 },
    }
    return text(words, { citations: [citation] })
  }
  throw new Error(`“${cited.words}” of “${cited.title}” was not given.`)
}

/** The number of the line that has the words, in the source with the id. */
function markOf({ title, words }: Cited, seen: string, space: TrialSpace): string {
  const { id } = space.find(title)
  const heads = [...seen.matchAll(/^Source (\d+): .*\(void:\/\/[a-z_]+\/([0-9a-f-]{36})/gm)]
  const numbers = heads.filter(([, , source]) => source === id).map(([, number]) => number)
  const lines = [...seen.matchAll(/^(\d+):(\d+)\| (.*)$/gm)]
  const line = lines.find(([, number, , said = '']) => numbers.includes(number) && said.includes(words))
  if (!line) throw new Error(`“${words}” of “${title}” was not given.`)
  return ` [${line[1]}:${line[2]}]`
}
