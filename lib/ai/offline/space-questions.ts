// Questions about the Space rather than its texts: what is in it, what links to a page, which pages are about something,
// what was written on a day, where the app does something; and what is on the desk. Each is answered by a list or by a
// tool that shows, and a message is one of them only if all of it is.

import { parseDay } from '../../core/text/dates/extract-day.ts'
import { readDays } from '../../core/text/dates/read-days.ts'
import { stemsOf } from '../../core/text/words/content-words.ts'
import { findTarget, kindWord, labelOf, nameOf, readTarget } from './command.ts'
import { call, type Item, type Passage, type Plan, parseItem } from './conversation.ts'
import { type Listed, listedIn } from './lists.ts'
import { plainName } from './plain-name.ts'
import { beginningOf, joinReplies, quoteAll, type Reply, say } from './reply.ts'

const maxLength = 300
const end = /[?.! ]+$/

/** The plan that answers; null: it is another kind of message. */
export function readSpaceQuestion(message: string, now: Date): (() => Plan<Reply | null>) | null {
  if (message.length > maxLength) return null
  const text = message.replace(/\s+/g, ' ').trim().replace(end, '')
  for (const { pattern, answer } of questions) {
    const match = pattern.exec(text)
    if (match) return () => answer((match[1] ?? '').trim(), { now, match })
  }
  return null
}

type Context = { now: Date; match: RegExpExecArray }
type Known = { pattern: RegExp; answer: (words: string, context: Context) => Plan<Reply | null> }

const pages = '(?:pages?|notes?|things|files|documents)'
const asked = '(?:(?:can|could|would) you )?(?:please )?'

const questions: Known[] = [
  {
    pattern:
      /^(?:(?:ok(?:ay)?|great|perfect|super|cool|many|nice)[,!.]? )?(?:thanks?(?: you)?|thx|cheers|(?:vielen )?danke?|merci|gracias|grazie|obrigad[oa]|dank je|tack|takk|dziękuję|спасибо|ありがとう|谢谢)(?: (?:a lot|so much|very much|again|schön|beaucoup|you))*$/iu,
    answer: () => done(say('You are welcome.')),
  },
  {
    pattern:
      /^(?:what(?:['’]s| is)(?: there)?|show(?: me)? what(?:['’]s| is)) in (?:this|the|my) (?:space|vault)$/i,
    answer: sayWhatIsIn,
  },
  {
    pattern: new RegExp(
      `^(?:how many|which|what|list(?: the)?|show(?: me)?(?: the)?) ${pages} (?:that )?(?:links?|points?|refers?)(?: back)? to (.{1,200})$`,
      'i',
    ),
    answer: sayWhatLinksTo,
  },
  {
    pattern: new RegExp(
      `^(?:which|what|list|show(?: me)?|find)(?: all)?(?: the| my)? ${pages} (?:(?:that )?(?:are |is |talk |speak )?about|(?:that )?mentions?|(?:that )?(?:deal|have to do) with|on) (.{1,200})$`,
      'i',
    ),
    answer: sayWhatIsAbout,
  },
  {
    pattern:
      /^what (?:(?:did|have) (?:i|we) (?:write|written|note|noted|do|done|make|made|add|added|work(?:ed)? on)(?: down)?|happened|was (?:written|made|added|new))(?: (?:on|for|at))? (.{1,60})$/i,
    answer: sayDay,
  },
  {
    pattern: new RegExp(
      `^${asked}(?:open|show me|go to|bring up|take me to)(?: up)? (.{1,200}?)(?:,? (?:(?:on|to|at) the|in the) (right|left)(?: (?:side|pane|half))?)?$`,
      'i',
    ),
    answer: openIt,
  },
  {
    pattern:
      /^what (?:am i|are we) (?:looking at|reading|seeing)(?: (?:right )?now)?$|^what(?:['’]s| is) (?:open|on (?:the|my) (?:screen|desk))$/i,
    answer: sayWhatIsOpen,
  },
]

// biome-ignore lint/correctness/useYield: a plan that needs no call.
function* done(reply: Reply): Plan<Reply> {
  return reply
}

const line = ({ title, facts }: Listed) => `- **${plainName(title)}**${facts}`
const maxNames = 12
const names = (items: readonly Listed[]) => items.slice(0, maxNames).map(line).join('\n')

/** Counts and folders, what most pages link to, what was written last. */
function* sayWhatIsIn(): Plan<Reply | null> {
  const all = yield* call('list', {})
  if (all.isError) return null
  const linked = yield* call('list', { sort: '-linked' })
  const latest = yield* call('list', { sort: '-updated_at' })
  const part = (head: string, { text, isError }: { text: string; isError: boolean }, max: number) => {
    const items = isError ? [] : listedIn(text)
    return items.length > 0 ? `${head}\n\n${items.slice(0, max).map(line).join('\n')}` : ''
  }
  const [counts = ''] = all.text.split('\n')
  return say(
    counts.replace(
      /(\d+) × (\w+)/g,
      (_, count, kind) => `${count} ${labelOf(kind)}${count === '1' ? '' : 's'}`,
    ),
    part('At the top:', all, maxNames),
    part('Most linked:', linked, 5),
    part('Written last:', latest, 5),
  )
}

function* sayWhatLinksTo(words: string): Plan<Reply | null> {
  const target = readTarget(words)
  const found = yield* findTarget(target, [], '')
  if ('problem' in found) return say(found.problem)
  const { text, isError } = yield* call('list', {
    where: `links = ${found.entity.title.replaceAll(';', ' ')}`,
  })
  if (isError) return say(text)
  const count = Number(/^Pages that match: (\d+)/.exec(text)?.[1] ?? 0)
  const verb = count === 1 ? 'page links' : 'pages link'
  return say(
    `${count || 'No'} ${verb} to ${nameOf(found.entity)}${count > 0 ? ':' : '.'}`,
    names(listedIn(text)),
  )
}

/** Pages that hold all words, those first whose title says it. */
function* sayWhatIsAbout(words: string): Plan<Reply | null> {
  const q = words.replace(/^["“](.*)["”]$/, '$1')
  const { passages, isError } = yield* call('search', { q, kinds: ['page'] })
  const wanted = [...stemsOf(q)]
  const holds = ({ title, blocks }: Passage) => {
    const stems = stemsOf(`${title} ${blocks.join(' ')}`)
    return wanted.every((stem) => stems.has(stem))
  }
  const titles = [...new Set(passages.filter(holds).map(({ title }) => title.split(' › ')[0] ?? ''))]
  if (isError || titles.length === 0) return null
  return say(
    titles.length === 1
      ? `This page mentions “${plainName(q)}”:`
      : `These pages mention “${plainName(q)}”, the best first:`,
    titles.map((title) => `- **${plainName(title)}**`).join('\n'),
  )
}

/** The page of a day, and what was written on it. */
function* sayDay(words: string, { now }: Context): Plan<Reply | null> {
  const day = parseDay(words, now, 'past')
  if (day === null) return null
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  const { passages } = yield* call('search', { q: `"${day}"`, kinds: ['page'] })
  const daily = passages.find(({ title }) => isDay(title.split(' › ')[0] ?? '', day, now))
  const item = daily ? parseItem(yield* call('read', { kind: daily.kind, id: daily.id })) : null
  const { text, isError } = yield* call('list', { where: `created_at >= ${day}; created_at < ${next}` })
  const made = isError ? [] : listedIn(text).filter(({ id }) => id !== item?.id)
  if (!item && made.length === 0) return say(`No page is named after ${day}, and none was written on it.`)
  return joinReplies([
    ...(item ? [quoteStart(item)] : []),
    say(made.length > 0 ? `Written on ${day}:\n\n${names(made)}` : ''),
  ])
}

const maxQuoted = 6

function quoteStart(item: Item): Reply {
  const places = beginningOf(item, maxQuoted)
  return places.length > 0 ? quoteAll(places, () => 0) : say(`**${plainName(item.title)}** has no text.`)
}

/** “2024-07-15”, “2024_07_15”, “July 15th, 2024”. */
const isDay = (title: string, day: string, now: Date): boolean =>
  title.replaceAll('_', '-').includes(day) || readDays(title, now).includes(day)

const views: Record<string, string> = {
  home: 'home',
  pages: 'pages',
  tasks: 'tasks',
  projects: 'projects',
  references: 'refs',
  refs: 'refs',
  resources: 'resources',
  files: 'source-docs',
  activity: 'activity',
  inbox: 'inbox',
  trash: 'trash',
}

/** Null where nothing has that name: it may be a question. */
function* openIt(words: string, { match }: Context): Plan<Reply | null> {
  const side = match[2]?.toLowerCase()
  const where = side ? { side } : {}
  const view =
    views[
      words
        .toLowerCase()
        .replace(/^(?:the|my) /, '')
        .replace(/ (?:view|list)$/, '')
    ]
  if (view) return said(yield* call('open', { action: 'open', view, ...where }))
  const target = readTarget(words)
  if (target.open) return null
  const found = yield* findTarget(target, [], '')
  if ('problem' in found) {
    const isNamed = new RegExp(`^(?:the |my )?(?:${kindWord})\\b`, 'i').test(words)
    return isNamed ? say(found.problem) : null
  }
  const { kind, id } = found.entity
  return said(yield* call('open', { action: 'open', kind, id, ...where }))
}

const said = ({ text }: { text: string }): Reply => say(plainName(text))

/** A thing by its name, or the list that is in view. */
function* sayWhatIsOpen(): Plan<Reply | null> {
  const result = yield* call('context', {})
  const item = parseItem(result)
  if (item) return say(`You have ${nameOf(item)} open.`)
  const view = /^The owner looks at the view ([^,.]{1,40})/.exec(result.text)?.[1]
  if (!view) return say(result.isError ? result.text : 'You have nothing open.')
  return say(`You are looking at ${view}.`, names(listedIn(result.text)))
}
