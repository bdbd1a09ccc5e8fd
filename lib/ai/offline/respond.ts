import { answerData, readDataQuestion } from './answer-data.ts'
import { answerList, readListQuestion } from './answer-list.ts'
import { answerQuestion } from './answer-question.ts'
import { draftAll, readCommands } from './commands.ts'
import { piecesOf } from './pieces.ts'
import { call, type Plan } from './plan.ts'
import { describeItem, joinReplies, quoteAll, type Reply, say } from './reply.ts'
import { type Item, parseItem } from './tool-results.ts'

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
  const commands = readCommands(text, today)
  if (commands.length > 0) return yield* draftAll(commands)
  const [first] = named
  if (first && (asksAboutOpen.test(text) || onlyAttached.test(text))) return quoteBeginning(first)
  if (asksAboutOpen.test(text)) return yield* quoteOpen()
  const list = readListQuestion(text, today)
  if (list) return yield* answerList(list)
  const data = readDataQuestion(text)
  return (data && (yield* answerData(data))) ?? (yield* answerQuestion(text, named))
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
  const item = parseItem(result)
  if (!item) return say(result.isError ? result.text : 'You have nothing open. Open a page and ask again.')
  return quoteBeginning(item)
}

/** The fields of an item, and the beginning of its text word for word. */
function quoteBeginning(item: Item): Reply {
  const { body: passage } = item
  const pieces = piecesOf(passage?.blocks ?? []).filter(({ lines }) => lines[0]?.kind !== 'property')
  const places = passage ? pieces.slice(0, maxPieces).map((_, at) => ({ passage, pieces, at })) : []
  return joinReplies([
    say(describeItem(item)),
    quoteAll(places, () => 0),
    say(places.length > 0 ? 'That is how it begins. A summary needs a language model.' : 'It has no text.'),
  ])
}
