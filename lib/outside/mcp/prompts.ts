// The prompts that an outside agent is offered: those for working with a Space, and the commands of the Spaces that its
// token may enter.

import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { renderPrompt } from '../../ai/prompts/prompts.ts'
import type { Command } from '../../contract/companion/commands.ts'
import type { AgentActor } from '../../core/actor.ts'
import type { Database } from '../../db/pool.ts'
import { fillPrompt, listCommands } from '../../space/commands.ts'
import { listSpaces } from './enter-space.ts'
import type { Offer } from './offer.ts'

type PromptOfVoid = Prompt & { text: (args: Record<string, string>) => string }

const space = { name: 'space', description: 'Slug of the Space' }

/** Prompts for working with a Space. */
const prompts: PromptOfVoid[] = [
  {
    name: 'ask',
    title: 'Ask a Space',
    description: 'Answer a question from the content of a Space, with sources.',
    arguments: [{ name: 'question', required: true }, space],
    text: ({ question = '', space }) => renderPrompt('mcp-ask', { in_space: inSpace(space), question }),
  },
  {
    name: 'draft',
    title: 'Draft from a text',
    description: 'Turn a text into pages and tasks for the owner to approve.',
    arguments: [{ name: 'text', required: true }, space],
    text: ({ text = '', space }) => renderPrompt('mcp-draft', { in_space: inSpace(space), text }),
  },
  {
    name: 'tidy',
    title: 'Tidy a page',
    description: 'Propose a clearer version of a page with the same content.',
    arguments: [{ name: 'page', description: 'Title or id of the page', required: true }, space],
    text: ({ page = '', space }) => renderPrompt('mcp-tidy', { in_space: inSpace(space), page }),
  },
]

const inSpace = (space: string | undefined) => (space ? ` (Space ${space})` : '')

export function createPrompts(
  database: Database,
  actor: AgentActor,
): Pick<Offer, 'listPrompts' | 'getPrompt'> {
  return {
    async listPrompts() {
      return (await list()).map(({ text: _text, ...about }) => about)
    },

    /** Throws for an unknown prompt or a missing argument. */
    async getPrompt({ name, arguments: args = {} }): Promise<GetPromptResult> {
      const prompt = (await list()).find((each) => each.name === name)
      const missing = prompt?.arguments?.find((each) => each.required && !args[each.name])
      if (!prompt || missing) {
        const message = prompt ? `The argument ${missing?.name} is missing.` : `There is no prompt ${name}.`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
      }
      return {
        ...(prompt.description === undefined ? {} : { description: prompt.description }),
        messages: [{ role: 'user', content: { type: 'text', text: prompt.text(args) } }],
      }
    },
  }

  async function list(): Promise<PromptOfVoid[]> {
    if (!actor.capabilities.read) return prompts
    const spaces = await listSpaces(database, actor)
    const commands = await listCommands(
      database,
      spaces.map(({ id }) => id),
    )
    const approved = commands.filter((command) => command.approved)
    const slugs = new Map(spaces.map(({ id, slug }) => [id, slug]))
    return [
      ...prompts,
      ...approved.map((command) => toPrompt(command, approved, slugs.get(command.space_id)!)),
    ]
  }
}

/** By its own name, with the slug of its Space before it where that name is taken. */
function toPrompt(command: Command, all: readonly Command[], slug: string): PromptOfVoid {
  const { name, description, prompt, takes_arguments } = command
  const isTaken =
    prompts.some((each) => each.name === name) || all.some((each) => each !== command && each.name === name)
  const about = { name: 'arguments', description: 'What the command is about', required: false }
  return {
    name: isTaken ? `${slug}/${name}` : name,
    title: `/${name}`,
    description,
    ...(takes_arguments && { arguments: [about] }),
    text: ({ arguments: words = '' }) => fillPrompt(prompt, words.trim()),
  }
}
