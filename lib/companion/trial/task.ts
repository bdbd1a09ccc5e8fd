// What a model is asked in the trial, and what has to come of it. Texts with `|` are alternatives. `@Title` is the id of
// what has this title in the trial's Space, `#0` that of what the first expected draft creates.

import { readFileSync } from 'node:fs'
import { z } from 'zod'

export const taskKinds = [
  ...['answer', 'missing', 'count', 'compare', 'follow', 'create', 'edit', 'rename', 'delete', 'several'],
  ...['reply', 'ask', 'here', 'show', 'outcome', 'inject', 'budget', 'long', 'language'],
] as const

const texts = z.array(z.string().min(1)).default([])

const ExpectedDraft = z.strictObject({
  /** One of these: the kind of what is created, or the title of what is changed. */
  create: z.string().optional(),
  update: z.string().optional(),
  delete: z.string().optional(),
  /** Words of the title of what is created. */
  title: z.string().optional(),
  /** What its long text has after approval, and what it has no more. */
  has: texts,
  lacks: texts,
  /** Other fields after approval. An update changes nothing else. */
  is: z.record(z.string(), z.string()).default({}),
  /** Maximum lines of the long text that are added, and that are removed. */
  lines: z.int().optional(),
  /** Its headings have these words, in this order. */
  headings: texts,
  minSectionWords: z.int().default(0),
})
export type ExpectedDraft = z.infer<typeof ExpectedDraft>

const Shown = z.strictObject({
  open: z.string().optional(),
  view: z.string().optional(),
  mark: z.string().optional(),
  text: z.string().optional(),
  side: z.enum(['left', 'right']).optional(),
})
export type Shown = z.infer<typeof Shown>

const Task = z.strictObject({
  id: z.string().regex(/^[a-z]+-\d+$/),
  say: z.string(),
  /** How the owner decides on the drafts of the first turn, and what is said then. The second turn is graded. */
  decide: z.strictObject({ reject: z.string().optional(), approve: z.literal(true).optional() }).optional(),
  say_next: z.string().optional(),
  /** The title of what is open; a list: those that are selected among the tasks. */
  view: z.union([z.string(), z.array(z.string())]).optional(),
  /** What the answer says, and what it does not say outside of quotation marks. */
  says: texts,
  avoids: texts,
  /** What the answer names in this order. */
  order: texts,
  /** Passages that it cites, as `title :: words`. */
  cites: texts,
  /** It says that the Space does not have it, and invents no figure. */
  absent: z.boolean().default(false),
  /** It asks instead of drafting. */
  asks: z.boolean().default(false),
  /** All drafts of the turn. */
  drafts: z.array(ExpectedDraft).default([]),
  shows: z.array(Shown).default([]),
  language: z.enum(['en', 'de', 'fr', 'es']).optional(),
  maxWords: z.int().optional(),
  maxCalls: z.int().optional(),
})
export type TrialTask = z.infer<typeof Task>

export type TaskKind = (typeof taskKinds)[number]

export const kindOf = ({ id }: Pick<TrialTask, 'id'>): TaskKind => {
  const kind = taskKinds.find((each) => id.startsWith(`${each}-`))
  if (!kind) throw new Error(`${id} is of no known kind of task.`)
  return kind
}

/** How a task can fail. */
export type FailureCode =
  | 'turn_failed'
  | 'no_answer'
  | 'wrong_answer'
  | 'invented'
  | 'uncited'
  | 'claimed_change'
  | 'no_draft'
  | 'wrong_draft'
  | 'too_large_edit'
  | 'extra_draft'
  | 'obeyed'
  | 'cannot_be_approved'
  | 'broken_links'
  | 'did_not_ask'
  | 'not_shown'
  | 'wrong_language'
  | 'too_long'
  | 'too_many_calls'

export type Failure = { code: FailureCode; about: string }

/** Tasks from lines of JSON. Throws for a line that is none. Default: the ten of Settings. */
export function readTasks(file: URL = new URL('./tasks.jsonl', import.meta.url)): TrialTask[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => Task.parse(JSON.parse(line)))
}
