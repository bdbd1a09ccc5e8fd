// "Create a task to …", "add a page called X with Y under Z", "add a project X with tasks A and B", "save https://…".

import { extractDay } from '../../text/dates/extract-day.ts'
import { type Clause, type Command, propose, refusing } from './command.ts'
import {
  findTarget,
  kindNamed,
  kindWord,
  leadingQuote,
  readTarget,
  type Target,
  unquote,
} from './find-target.ts'
import { plainName } from './reply.ts'

const article = '(?: (?:me|an?|another|the following|these|some|new|one|two|three|four|five))*'
const opening = new RegExp(`^(?:create|add|make)${article} (${kindWord})(s?)(?:[:,] ?| |$)(.*)$`, 'i')
const reminder = /^remind me to (.+)$/i
const save = /^(?:save|bookmark)(?: (?:this|the|a|link|page|address|bookmark))* (https?:.+)$/i
const withTasks = /,? (?:with|and) (?:the |these )?(?:tasks?|to-?dos?):? /i

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

export function readCreate({ head, below, said }: Clause, now: Date): Command[] | null {
  const wanted = readWanted(head)
  if (!wanted || wanted.kind === 'source_doc') return null
  if (wanted.text === '' && below === '') return [refusing(`What should the ${wanted.kind} be called?`)]
  const items = itemsOf(wanted, below, now).filter(({ title }) => title !== '')
  return items.length > 0 ? items.map((item) => creating(item, said)) : null
}

function readWanted(head: string): Wanted | null {
  const [deed, address] = [reminder.exec(head)?.[1], save.exec(head)?.[1]]
  if (deed) return { kind: 'task', text: deed, isPlural: false }
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

/** A task with its project and, before it, its due date; a quoted text is all title. */
function readTask(text: string, below: string, now: Date): NewItem {
  const own = text.trim().replace(/\.$/, '')
  const project = inProject.exec(own)
  const inside = project ? { ...readTarget(project[1] ?? project[2] ?? ''), kinds: ['project'] } : null
  const words = project ? own.slice(0, project.index) : own
  const day = extractDay(words, now)
  const title = unquote((day?.rest || words).replace(/^(?:to|called|named|titled) /i, ''))
  const fields = filled({ body: below, due_on: day?.rest ? day.day : '' })
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
