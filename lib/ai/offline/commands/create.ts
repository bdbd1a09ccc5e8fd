// "Create a task …", "add a page called X with Y under Z", "add a project X with tasks A and B", "add a resource …".

import { type Clause, type Command, refusing } from './command.ts'
import { createPage } from './create-page.ts'
import { createProject } from './create-project.ts'
import { createReference } from './create-reference.ts'
import { creatingTasks } from './create-task.ts'
import { kindNamed, kindWord } from './kind-words.ts'
import { splitList } from './split-list.ts'

const verb = '(?:create|add|make|start|open|set up|write|draft|begin|new|i need|there is)'
const article =
  '(?: (?:me|us|an?|another|the|one|my|new|quick|some|two|three|four|five|six|\\d{1,2}|these|those|following|few|couple|of|the))*'
const priority = '(?: (urgent|important|high[- ]priority|low[- ]priority|top[- ]priority))?'
const opening = new RegExp(
  `^${verb}${article}${priority}(?: new)? (${kindWord})(s?)(?= |$|:|,)[:,]? ?(.*)$`,
  'is',
)
const bare = /^(task|todo|to-do|page|project)s?: ?(.+)$/i
const toMyList =
  /^(?:add|put) (.{1,500}) (?:to|on|onto|in) (?:my|the) (?:to-?dos?|to-?do list|task list|tasks|list of tasks)(?: ((?:for|on|by) .{1,60}))?$/i
const definite = /^(?:start|open|write|begin|draft) (?:the |my )?(?!an? |another |new )/i

const examples: Record<string, string> = {
  task: '“Create a task to call the landlord tomorrow”',
  page: '“Add a page called Recipes with: Soups first”',
  project: '“Create a project Garden with tasks buy seeds and dig the beds”',
  ref: '“Save https://example.org as Example”',
  resource: '“Add a resource called Laser printer”',
}

export function readCreate(clause: Clause, now: Date): Command | null {
  const listed = toMyList.exec(clause.head)
  if (listed)
    return creatingTasks(
      [[listed[1], listed[2]?.replace(/^for /i, 'by ')].filter(Boolean).join(' ')],
      clause.below,
      clause.said,
      now,
    )
  const short = bare.exec(clause.head)
  if (short) return create(kindNamed(short[1]!), { ...clause, rest: short[2]!, isPlural: false }, now)

  const match = opening.exec(clause.head)
  if (!match || definite.test(clause.head)) return null
  const [, urgency = '', kind = '', plural = '', rest = ''] = match
  if (rest === '' && clause.below === '')
    return refusing(
      clause.said,
      `What should the ${kind.toLowerCase()} be called? Say for example ${examples[kindNamed(kind)] ?? examples.page}.`,
    )
  const text = urgency ? `${rest}, ${urgency.replace('top', 'high')}` : rest
  return create(kindNamed(kind), { ...clause, rest: text, isPlural: plural === 's' }, now)
}

export type Creation = Clause & { rest: string; isPlural: boolean }

function create(kind: string, creation: Creation, now: Date): Command | null {
  switch (kind) {
    case 'task':
      return createTasks(creation, now)
    case 'page':
      return createPage(creation)
    case 'project':
      return createProject(creation, now)
    case 'ref':
    case 'resource':
      return createReference(kind, creation)
    default:
      return null
  }
}

const withBody = / (?:with (?:the )?(?:description|body|details?|notes?|text):?|details:|description:) /i

function createTasks({ rest, below, isPlural, said }: Creation, now: Date): Command | null {
  const items = splitList(below)
  if (items && (rest === '' || isPlural || rest.endsWith(':'))) return creatingTasks(items, '', said, now)
  const text = rest
    .replace(/^(?:called|named|titled|for me to|that says|saying)\b:? ?/i, '')
    .replace(/^for (?=calling|\w+ing )/i, '')
  if (isPlural) return creatingTasks(splitSeries(text.replace(/^(?:to|for|:) /i, '')), below, said, now)

  const at = withBody.exec(text)
  const title = at ? text.slice(0, at.index) : text
  const body = at ? text.slice(at.index + at[0].length) : ''
  return creatingTasks(
    [title || below.split('\n', 1)[0]!],
    [body, title ? below : ''].filter(Boolean).join('\n\n'),
    said,
    now,
  )
}

/** "A, B and C" as three texts. */
export function splitSeries(text: string): string[] {
  return text
    .split(/, and |, | and |; /i)
    .map((item) => item.trim())
    .filter(Boolean)
}
