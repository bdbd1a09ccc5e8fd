// "Summarise …", "what is this page about", "show me …", "what links here": one thing, told by its fields, its
// headings and its first sentences.

import { type Found, readThing, type Thing } from '../answers.ts'
import { findTarget, readTarget, type Target } from '../commands/target.ts'
import { ask, type Plan } from '../plan.ts'
import { joinReplies, type Reply, say } from '../reply.ts'
import { answerQuestion } from './answer-question.ts'
import { connectAModel } from './connect.ts'
import { describeThing } from './describe-thing.ts'
import { plainName } from './plain-text.ts'
import { toPart } from './quote.ts'
import { segmentBlocks } from './segments.ts'

export type Overview = { wants: 'summary' | 'show' | 'links'; target: Target; question: string }

const patterns: [Overview['wants'], RegExp][] = [
  ['links', /^(?:what|which pages?|who) (?:links?|points?|refers?) (?:to )?(.{1,300})$/],
  ['links', /^(?:show |list )?(?:the )?backlinks (?:of|for|to) (.{1,300})$/],
  [
    'summary',
    /^(?:summari[sz]e|sum up|give (?:me )?(?:a|an) (?:short |brief )?(?:summary|overview|outline) of|tl;?dr:?|outline) (.{1,300})$/,
  ],
  ['summary', /^what(?:'s| is|’s) (this|this page|this note|this task|this project|here) (?:about)$/],
  ['summary', /^(?:fasse?|fass) (.{1,300}) zusammen$|^résume[rz]? (.{1,300})$/],
  ['show', /^(?:show(?: me)?|open|read(?: me)?|display|view) (.{1,300})$/],
  [
    'show',
    /^(?:what am i (?:looking at|viewing|reading)|what(?:'s| is|’s) (?:this|open|here)|where am i)()$/,
  ],
]

/** `null` when the text asks for something else. */
export function readOverview(text: string): Overview | null {
  const question = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  const plain = question.replace(/^(?:please|can you|could you|would you) /i, '').replace(/[?.! ]+$/, '')
  for (const [wants, pattern] of patterns) {
    const match = new RegExp(pattern.source, 'i').exec(plain)
    if (match) return { wants, target: readTarget((match[1] ?? match[2]) || 'this'), question: text }
  }
  return null
}

const everything =
  /^(?:everything|all|it all|(?:this|the|my) (?:whole )?space|all (?:of )?(?:my |the )?(?:notes|pages)|my notes)$/i

export function* overview({ wants, target, question }: Overview, today: Date): Plan<Reply> {
  if (target.names.some((name) => everything.test(name))) {
    return say(`I can show one page at a time: name it. ${connectAModel}`)
  }
  const thing = yield* readOne(target)
  if (typeof thing === 'string') return say(thing)
  if (!thing) return yield* answerQuestion(question, today)
  if (wants === 'links') return links(thing)

  const parts = [say(describeThing(thing, today)), outline(thing.body), beginning(thing.body)]
  if (wants === 'summary') {
    parts.push(
      say(
        `That is its outline and its beginning, word for word; a real summary needs a language model. ${connectAModel}`,
      ),
    )
  }
  return joinReplies(parts)
}

/** The thing; a sentence for the owner when it cannot be read; `null` when the target names nothing. */
function* readOne(target: Target): Plan<Thing | string | null> {
  if (target.here) {
    const answer = yield* ask('context', {})
    if (answer.isError) return `I could not read what you have open: ${answer.text}`
    return (
      readThing(answer) ??
      'You have nothing open that I could read. Name the page, or open it and ask again. What I can do I tell when you say “help”.'
    )
  }
  const match = yield* findTarget(target)
  if (match.is !== 'one') return null
  return readThing(yield* ask('read', { kind: match.found.kind, id: match.found.id }))
}

function outline(body: Found | null): Reply {
  const headings = [...new Set(segmentBlocks(body?.blocks ?? []).map(({ heading }) => plainName(heading)))]
  const named = headings.filter((heading) => heading !== '' && heading !== plainName(body?.title ?? ''))
  if (named.length < 2) return []
  const more = named.length > 12 ? [`- … and ${named.length - 12} more`] : []
  return say(
    ['Its headings:', '', ...named.slice(0, 12).map((heading) => `- ${heading}`), ...more].join('\n'),
  )
}

/** The first block under each of the first headings, quoted. */
function beginning(body: Found | null): Reply {
  if (!body) return say('It has no text.')
  const blocks = segmentBlocks(body.blocks).filter(({ segments }) =>
    segments.some(({ kind }) => kind !== 'fact'),
  )
  const firsts = blocks.filter(({ heading }, at) => at === 0 || heading !== blocks[at - 1]?.heading)
  const chosen = firsts.length > 1 ? firsts.slice(0, 3) : blocks.slice(0, 2)
  return chosen.map(({ block, segments }) =>
    toPart(body, block, segments.filter(({ kind }) => kind !== 'fact').slice(0, 6), []),
  )
}

function links({ body, fields, linkedFrom }: Thing): Reply {
  const title = plainName(body?.title ?? String(fields.title ?? 'it'))
  if (linkedFrom.length === 0) return say(`Nothing links to **${title}**.`)
  const lines = linkedFrom
    .slice(0, 30)
    .map((link) => `- **${plainName(link.title)}** (${link.kind.replace('_', ' ')})`)
  return say([`What links to **${title}**:`, '', ...lines].join('\n'))
}
