// The reply to a message: drafts for commands, a list, or the answer to a question: search, read what is worth reading
// whole, quote.

import { readMemoryRequest } from '../../core/text/memory/memory-requests.ts'
import { stemsOf } from '../../core/text/words/content-words.ts'
import { rememberCall } from '../agent/remember-call.ts'
import { routineCall } from '../agent/routine-call.ts'
import { draftAll, readCommands } from './commands.ts'
import {
  call,
  type Item,
  inParallel,
  type Passage,
  type Plan,
  parseDraft,
  parseItem,
} from './conversation.ts'
import { answerData, answerList, readDataQuestion, readListQuestion } from './lists.ts'
import {
  answers,
  asWritten,
  bindWords,
  type Choice,
  chooseQuotes,
  isMeant,
  isNamed,
  type Question,
  readQuestion,
} from './question.ts'
import {
  beginningOf,
  describeItem,
  isLetter,
  joinReplies,
  nameOf,
  quoteAll,
  type Reply,
  say,
} from './reply.ts'
import { readSpaceQuestion } from './space-questions.ts'

/**
 * The reply to what the owner wrote; only their own words are looked at, never what a tool returned. `today` is the day
 * that "tomorrow" is counted from.
 */
export function* respond(
  message: string,
  today: Date,
  { named = [], images = 0 }: Attached = {},
): Plan<Reply> {
  const reply = yield* respondTo(message, today, named)
  return images === 0 ? reply : joinReplies([say(aboutImages), reply])
}

/** What the message names, and how many images came with it. */
type Attached = { named?: readonly Item[]; images?: number }

const aboutImages = 'I cannot see images: that takes a language model. Here is what the words alone give.'

function* respondTo(message: string, today: Date, named: readonly Item[]): Plan<Reply> {
  const text = message.replaceAll('\0', '').toWellFormed().trim()
  const remembered = rememberCall(text)
  if (remembered) {
    const drafts = 'I drafted this for your memory; nothing has changed yet.'
    const forgets = 'forget' in (readMemoryRequest(text) ?? {})
    return yield* drafted(remembered, forgets ? `${drafts} ${staysInHistory}` : drafts)
  }
  const routine = routineCall(text)
  if (routine)
    return yield* drafted(routine, 'I drafted this routine. It is switched on once you approve it.')
  const commands = readCommands(text, today)
  if (commands.length > 0) return yield* draftAll(commands)
  const [first] = named
  if (first && (asksAboutOpen.test(text) || onlyAttached.test(text))) return quoteBeginning(first)
  if (asksAboutOpen.test(text)) return yield* quoteOpen()
  const known = readSpaceQuestion(text, today)
  const told = known && (yield* known())
  if (told) return told
  const list = readListQuestion(text, today)
  if (list) return yield* answerList(list)
  const data = readDataQuestion(text)
  return (data && (yield* answerData(data))) ?? (yield* answerQuestion(text, named))
}

const staysInHistory =
  'A forgotten line stays in the history of the page, unless you choose “Forget and remove from history”.'

type OpeningCall = { name: string; input: Record<string, unknown> }

/** A draft that was made before this answers. */
function* drafted({ name, input }: OpeningCall, done: string): Plan<Reply> {
  const result = yield* call(name, input)
  return say(parseDraft(result) ? done : `Nothing was drafted: ${result.text}`)
}

const open = '(?:this|here|it)(?: (?:page|note|task|project|ref|reference|resource|file|document))?'
const asksAboutOpen = new RegExp(
  `^(?:what(?:['’]s| is) ${open}(?: about)?|what does ${open} say|summari[sz]e ${open})[?.! ]*$`,
  'i',
)
/** What the composer says for a message that is only files. */
const onlyAttached = /^attached: /i
const maxPieces = 2

/** What the owner has open. */
function* quoteOpen(): Plan<Reply> {
  const result = yield* call('context', {})
  const open = parseItem(result)
  if (!open) return say(result.isError ? result.text : 'You have nothing open. Open a page and ask again.')
  const { kind, id } = open
  return quoteBeginning(parseItem(yield* call('read', { kind, id })) ?? open)
}

/** The fields of an item, and the beginning of its text word for word. */
function quoteBeginning(item: Item): Reply {
  const places = beginningOf(item, maxPieces)
  return joinReplies([
    say(describeItem(item)),
    quoteAll(places, () => 0),
    say(places.length > 0 ? 'That is how it begins. A summary needs a language model.' : 'It has no text.'),
  ])
}

const connectAModel =
  'I am the offline companion: I work by rules and only quote. To connect a language model, enter its API key in ' +
  'Settings → Model, or the address of a local server such as Ollama.'
const abilities = `Ask a question, and I search this Space and quote what I find. I can also draft simple changes, which wait for your approval:

- *Create a task to call the landlord tomorrow*
- *Add a page called Recipes with: Soups first*
- *Mark Call the landlord as done*
- *Rename Recipes to Cookbook*
- *Delete the task Call the landlord*`

const maxRead = 4
const maxNamed = 3

/** The answer to any message that is no command: from what it names, if that answers, else from the Space. */
function* answerQuestion(text: string, named: readonly Item[] = []): Plan<Reply> {
  const place = placeFor(text)
  // Beside the place where it is done, the Space may hold a text of what it is done with.
  const question = readQuestion(place ? text.replace(asksHow, '').replace(deeds, '') : text)
  const { words } = question
  if (words.length === 0) return place ? say(place) : say(abilities, connectAModel)
  const own = chooseQuotes(
    named.flatMap(({ body }) => body ?? []),
    question,
  )
  if (answers(own.quotes, question)) return foundAnswer(own, [], question, named)
  const { isError, text: error, passages: found } = yield* call('search', { q: question.query })
  if (isError) return say(`I could not search this Space: ${error}`)
  const passages = found.filter(({ title }) => isQuotable(title, question))

  const items = yield* readBest(passages, question)
  const choice = chooseQuotes([...passages, ...items.flatMap(({ body }) => body ?? [])], question)
  const isAskedFor = ({ title, body }: Item) =>
    2 * heldIn(`${title} ${body?.blocks.join(' ') ?? ''}`, question) >= words.length
  const records = items.filter(
    (item, at) => isRecord(item) && items[at - 1]?.id !== item.id && isAskedFor(item),
  )
  if (records.length > 0 || answers(choice.quotes, question))
    return joinReplies([say(place), foundAnswer(choice, records, question, items)])
  return place ? say(place) : yield* notFound(question, passages, choice)
}

/** Where the app does what somebody asks how to do. */
const places: [what: RegExp, where: string][] = [
  [/import|bring(?: in)?|move in|migrate/, 'Settings → Import brings in notes, documents, mail and chats.'],
  [/export|take out|take away/, 'Settings → Export gives the whole Space as a folder.'],
  [/(?:connect|add|use|set up|choose|change).{0,20} model/, 'Settings → Model connects a language model.'],
  [/(?:connect|add|set up|read).{0,20} (?:e-?)?mail(?:box|s)?/, 'Settings → Mail connects a mailbox.'],
  [/(?:connect|add|set up|allow).{0,20} agents?/, 'Settings → Agents connects an outside agent.'],
]
const deeds = /^(?:import|bring|move|migrate|export|take|connect|add|use|set|choose|change|read|allow)\b/i
const asksHow = /^(?:how (?:do|can|could|should|would) (?:i|we|you|one)|where (?:do|can) (?:i|we)) /i

function placeFor(text: string): string {
  const deed = asksHow.exec(text)?.[0]
  if (deed === undefined || text.length > 200) return ''
  const wanted = text.slice(deed.length).toLowerCase()
  return places.find(([what]) => wanted.search(what) === 0)?.[1] ?? ''
}

/** Files of settings and data say nothing to a reader. */
const isQuotable = (title: string, { text }: Question): boolean =>
  !/\.(?:base|ya?ml|json|css|js)$/i.test(title) && isMeant(title, text)

/** What the best quotes are from, what search has first, things that the question names, and tasks and the like whose titles are asked for. */
function* readBest(found: readonly Passage[], question: Question): Plan<Item[]> {
  const records = found.slice(0, 6).filter((each) => isRecord(each) && heldIn(each.title, question) > 0)
  const named = found.filter((each) => !isRecord(each) && isNamed(each, question))
  const quoted = chooseQuotes(found, question).quotes.map(({ passage }) => passage)
  const wanted = new Map(
    [...records, ...named.slice(0, 2), ...found.slice(0, 1), ...quoted].map(({ kind, id }) => [
      id,
      { kind, id },
    ]),
  )
  return (yield* inParallel([...wanted.values()].slice(0, maxRead).map(readPages))).flat()
}

/** Pages of one long text; more would leave a turn no call to answer with. */
const maxPages = 3

/** A thing page by page. */
function* readPages({ kind, id }: { kind: string; id: string }): Plan<Item[]> {
  const pages: Item[] = []
  for (let from_line = 1; pages.length < maxPages; ) {
    const input = from_line === 1 ? { kind, id } : { kind, id, from_line }
    const page = parseItem(yield* call('read', input))
    if (page) pages.push(page)
    if (!page || page.lastLine >= page.totalLines) break
    from_line = page.lastLine + 1
  }
  return pages
}

/** Of these it is the fields that answer. */
const isRecord = ({ kind }: { kind: string }) =>
  kind !== 'page' && kind !== 'source_doc' && !isLetter({ kind })

/** How many words of a question a text holds. */
const heldIn = (text: string, { words }: Question): number =>
  bindWords(words, stemsOf(text)).filter(({ stems }) => stems.length > 0).length

/** The fields of tasks and the like that were asked for, quotations, and where else to look. `items`: what was read. */
function foundAnswer(
  { quotes, others, weigh }: Choice,
  records: readonly Item[],
  question: Question,
  items: readonly Item[],
): Reply {
  const values = new Set(records.flatMap(({ fields }) => Object.values(fields)))
  // Beside fields, a text has to answer by itself.
  const texts = quotes.filter(
    (quote) =>
      records.length === 0 ||
      (answers([quote], question) && !values.has(quote.passage.blocks[quote.pieces[quote.at]!.block])),
  )
  const shown = new Set([...records, ...texts.map(({ passage }) => passage)].map(({ id }) => id))
  const more = others.filter(({ passage }) => !shown.has(passage.id)).map(({ passage }) => titleOf(passage))
  return joinReplies([
    say(...records.map(describeItem)),
    quoteAll(texts, weigh, items),
    say(more.length > 0 ? `See also: ${listed(more)}.` : ''),
  ])
}

/** Words that are looked for one by one before they are said to be nowhere. */
const maxLookedFor = 4

/** What comes nearest, which words are nowhere, and how to connect a model. */
function* notFound(question: Question, found: readonly Passage[], { quotes, weigh }: Choice): Plan<Reply> {
  const titled = found.filter(({ title }) => heldIn(title, question) === question.words.length).map(titleOf)
  if (titled.length > 0 && quotes.length === 0)
    return say(`I found only the title, with no text: ${listed(titled)}.`)
  const held = new Set(quotes.flatMap((quote) => [...quote.held]))
  const missing = question.words.filter((word) => !held.has(word)).slice(0, maxLookedFor)
  const elsewhere = yield* inParallel(missing.map(findWord))
  const nowhere = missing.filter((_, at) => elsewhere[at]!.length === 0)
  const near = missing.flatMap((word, at) =>
    elsewhere[at]!.length > 0
      ? [`${inQuotes([asWritten(word, question.text)])} is in ${listed(elsewhere[at]!)}.`]
      : [],
  )
  const nothing =
    nowhere.length > 0
      ? `I found nothing in this Space about ${inQuotes(nowhere.map((word) => asWritten(word, question.text)))}.`
      : 'Nothing answers this directly.'
  const closest = quotes.length > 0 ? quoteAll(quotes.slice(0, 2), weigh) : []
  if (closest.length > 0) return joinReplies([say([nothing, ...near, 'Closest:'].join(' ')), closest])
  return say(
    [nothing, ...near].join(' '),
    'Another word for the same thing may help: I search for the words themselves, not for meanings.',
    connectAModel,
  )
}

/** The titles of what holds a word. */
function* findWord(word: string): Plan<string[]> {
  const { passages } = yield* call('search', { q: word })
  return passages
    .filter(
      ({ title, blocks }) => bindWords([word], stemsOf(`${title} ${blocks.join(' ')}`))[0]!.stems.length > 0,
    )
    .map(titleOf)
}

const titleOf = (passage: Passage) => nameOf({ ...passage, title: passage.title.split(' › ')[0] ?? '' })
const listed = (names: readonly string[]) => [...new Set(names)].slice(0, maxNamed).join('; ')
const inQuotes = (words: readonly string[]) => `“${words.slice(0, 6).join('”, “')}”`
