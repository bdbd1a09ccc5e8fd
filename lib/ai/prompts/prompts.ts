// All prompts, as Markdown files beside this one. A name in double braces is a variable; a file is read once, when the
// program starts. `hash` says which wording was used.

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const names = [
  ...([
    'companion',
    'companion-drafts',
    'companion-reads',
    'outcomes',
    'sources',
    'summary',
    'naming',
    'router',
  ] as const),
  ...(['glance-triage', 'glance-analyst'] as const),
  ...([
    'memory',
    'routine',
    'routine-drafts',
    'routine-events',
    'routine-contradictions',
    'routine-choose',
  ] as const),
  ...(['mcp-instructions', 'mcp-ask', 'mcp-draft', 'mcp-tidy'] as const),
  ...(['probe', 'probe-harbor', 'probe-one', 'probe-two', 'probe-boat', 'probe-color', 'probe-sum'] as const),
  ...(['research-plan', 'research-terms', 'research-answer', 'research-judge', 'research-message'] as const),
]

export type PromptName = (typeof names)[number]

/** A prompt as it is in its file, without the line break at its end, and the beginning of its SHA-256. */
export type Prompt = { text: string; hash: string }

export const prompts = Object.fromEntries(names.map((name) => [name, load(name)])) as Record<
  PromptName,
  Prompt
>

function load(name: PromptName): Prompt {
  const text = readFileSync(join(import.meta.dirname, `${name}.md`), 'utf8').trimEnd()
  return { text, hash: shortHash(text) }
}

/** The beginning of the SHA-256 of texts, enough to tell wordings apart. */
export function shortHash(...texts: string[]): string {
  return hash('sha256', texts.join('\0')).slice(0, 12)
}

const variable = /\{\{([a-z_]{1,40})\}\}/g

/** The variables that a prompt names, in order. */
export const variablesOf = (name: PromptName): string[] =>
  [...prompts[name].text.matchAll(variable)].map((match) => match[1] ?? '')

/** The prompt with its variables in place. Throws for one that has no value, and for a value that is no variable. */
export function renderPrompt(name: PromptName, values: Readonly<Record<string, string>>): string {
  const named = variablesOf(name)
  const missing = named.find((each) => !Object.hasOwn(values, each))
  const unused = Object.keys(values).find((each) => !named.includes(each))
  if (missing ?? unused)
    throw new Error(`prompt ${name}: ${missing ? `no value of ${missing}` : `no variable ${unused}`}`)
  return prompts[name].text.replace(variable, (_, each: string) => values[each] ?? '')
}
