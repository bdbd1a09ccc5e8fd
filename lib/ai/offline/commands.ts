// A message as a list of commands. It is one only if its first clause is; a message that merely mentions a verb is a
// question. Here, too, are the commands that create: "Create a task to …", "add a page called X with Y under Z", "add a
// project X with tasks A and B", "save https://…"; those that change are in change.ts.

import { fromLocalFields } from '../../core/schedule/calendar.ts'
import { extractDay } from '../../core/text/dates/extract-day.ts'
import { readAppend, readChange } from './change.ts'
import {
  type Clause,
  type Command,
  type Created,
  findTarget,
  kindNamed,
  kindWord,
  leadingQuote,
  type Outcome,
  propose,
  readTarget,
  refusing,
  type Target,
  unquote,
} from './command.ts'
import { inParallel, type Plan } from './conversation.ts'
import { plainName } from './plain-name.ts'
import { type Reply, say } from './reply.ts'

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
  const count = new Set(drafts.map(({ summary }) => summary)).size
  if (count === 0) return say(...new Set(problems))
  // The cards say what is drafted.
  return say(
    `${count === 1 ? 'I drafted this' : `I drafted ${count} related changes`}; nothing has changed yet.`,
    ...new Set(problems),
  )
}

const article = '(?: (?:me|an?|another|the following|these|some|new|one|two|three|four|five))*'
const opening = new RegExp(`^(?:create|add|make)${article} (${kindWord})(s?)(?:[:,] ?| |$)(.*)$`, 'i')
const reminder = /^remind me (?:(.{1,60}?),? )?to (.+)$/i
const save = /^(?:save|bookmark)(?: (?:this|the|a|link|page|address|bookmark))* (https?:.+)$/i
const withTasks = /,? (?:with|and) (?:(?:the|these|a|an|one) )?(?:tasks?|to-?dos?):? /i

const inProject = /[ ,](?:in|for|under|to) (?:the )?(?:project (.{1,200})|(.{1,200}) project)$/i
const bodyMarker =
  /(?:^|,? )(?:and )?(?:with|containing|saying)(?: (?:the )?(?:text|content|body))?(?::| |$)|: |:$/i
const placeMarker = /(?:^| )(?:under|below|inside) (?:the )?(?:page )?(.{1,300})$/i

type NewItem = {
  kind: string
  title: string
  /** The payload besides the title. */
  fields: Record<string, string | undefined>
  /** The project of a task, the page above a page. */
  inside: Target | null
}

type Wanted = { kind: string; text: string; isPlural: boolean }

function readCreate({ head, below, said }: Clause, now: Date): Command[] | null {
  const wanted = readWanted(head)
  if (!wanted || wanted.kind === 'source_doc') return null
  if (wanted.text === '' && below === '') return [refusing(`What should the ${wanted.kind} be called?`)]
  const items = itemsOf(wanted, below, now).filter(({ title }) => title !== '')
  return items.length > 0 ? items.map((item) => creating(item, said)) : null
}

function readWanted(head: string): Wanted | null {
  const [, when, deed] = reminder.exec(head) ?? []
  const address = save.exec(head)?.[1]
  if (deed) return { kind: 'task', text: when ? `${deed} ${when}` : deed, isPlural: false }
  if (address) return { kind: 'ref', text: address, isPlural: false }
  const [, word = '', plural, text = ''] = opening.exec(head) ?? []
  const kind = kindNamed(word)
  return kind ? { kind, text, isPlural: plural === 's' } : null
}

function itemsOf({ kind, text, isPlural }: Wanted, below: string, now: Date): NewItem[] {
  if (kind === 'task') {
    const listed = listItems(below)
    if (listed && (text === '' || isPlural)) return listed.map((item) => readTask(item, '', now))
    return (isPlural ? series(text) : [text]).map((item) => readTask(item, below, now))
  }
  if (kind === 'ref' || kind === 'resource') return [readReference(kind, text, below)]
  if (kind === 'page') return [readNamed('page', text, below)]

  const [own = '', tasks] = text.split(withTasks, 2)
  const project = readNamed('project', own, tasks === undefined ? below : '')
  const inside = { names: [project.title], kinds: ['project'], open: false }
  const texts = tasks === undefined ? [] : [...series(tasks), ...(listItems(below) ?? [])]
  return [project, ...texts.map((item) => ({ ...readTask(item, '', now), inside }))]
}

function creating({ kind, title, fields, inside }: NewItem, said: string): Command {
  return {
    creates: { kind, title },
    *draft(earlier) {
      const match = inside ? yield* findTarget(inside, earlier) : null
      if (match && 'problem' in match) return match
      const place = match ? { [kind === 'task' ? 'project_id' : 'parent_id']: match.entity.id } : {}
      const payload = { title, ...fields, ...place }
      return yield* propose({ entity_type: kind, action: 'create', payload }, `“${plainName(title)}”`, said)
    },
  }
}

/** "A, B and C" as three texts. */
const series = (text: string): string[] =>
  text
    .replace(/^(?:to|for) /i, '')
    .split(/, and |, | and |; /i)
    .map((item) => item.trim())
    .filter(Boolean)

/** The items of a Markdown list; `null` when the text has a line that is none. */
function listItems(text: string): string[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const items = lines.flatMap(
    (line) => /^\s*(?:[-*•]|\d{1,3}[.)])\s+(?:\[ \]\s+)?(\S.*)$/.exec(line)?.[1] ?? [],
  )
  return items.length > 0 && items.length === lines.length ? items : null
}

/** A moment by its local fields, as those of `now`; whoever knows the zone makes it an instant. */
function fromLocalMoment(at: Date): string {
  const { day, time } = fromLocalFields(at)
  return `${day}T${time}`
}

/** A task with its project and, before it, its due date and time; a quoted text is all title. */
function readTask(text: string, below: string, now: Date): NewItem {
  const own = text.trim().replace(/\.$/, '')
  const project = inProject.exec(own)
  const inside = project ? { ...readTarget(project[1] ?? project[2] ?? ''), kinds: ['project'] } : null
  const words = project ? own.slice(0, project.index) : own
  const day = extractDay(words, now)
  const named = day?.moment?.rest || day?.rest
  const title = unquote((named || words).replace(/^(?:to|called|named|titled) /i, ''))
  const remind_at = day?.moment?.rest ? fromLocalMoment(day.moment.at) : ''
  const fields = filled({ body: below, due_on: named && day ? day.day : '', remind_at })
  return { kind: 'task', title: withCapital(title), fields, inside }
}

/** `called X with Y`, `X: Y`, `"X" under Z with Y`; `below` are the lines that follow, part of the text. */
function readNamed(kind: string, rest: string, below: string): NewItem {
  const text = rest.replace(/^(?:called|named|titled|about)[:,]? /i, '')
  const quote = leadingQuote(text)
  const tail = quote ? quote.rest : text
  const marker = bodyMarker.exec(tail.slice(0, 2000))
  const before = marker ? tail.slice(0, marker.index) : tail
  const body = marker ? unquote(tail.slice(marker.index + marker[0].length)) : ''
  const place = kind === 'page' ? placeMarker.exec(before) : null
  const title = quote ? quote.quoted : withCapital(unquote(place ? before.slice(0, place.index) : before))
  const inside = place?.[1] ? { ...readTarget(place[1]), kinds: ['page'] } : null
  const fields = filled({ body: [body, below].filter((part) => part.trim() !== '').join('\n\n') })
  return { kind, title, fields, inside }
}

/** A ref or resource: a web address, a name, a text. */
function readReference(kind: 'ref' | 'resource', rest: string, below: string): NewItem {
  const url = /https?:\/\/[^\s<>"“”]{1,2000}/i.exec(rest)?.[0].replace(/[.,;:!?)\]]+$/, '')
  const words = url ? rest.replace(url, '').trim() : rest
  const named = readNamed(kind, words.replace(/^as /i, '').replace(/ (?:at|from)$/i, ''), below)
  const title = named.title || (url?.replace(/^https?:\/\/(?:www\.)?|\/$/gi, '') ?? '')
  return { ...named, title, fields: filled({ ...named.fields, url }) }
}

/** Without a field where there is nothing to put. */
const filled = (fields: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value))

const withCapital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).trim()
