// The router without a model: it counts the words that a message shares with each conversation's title and summary, and
// looks at the time that has passed. In doubt it begins a new thread: what was put where it does not belong costs more
// than a thread of its own, which one key joins.

import { contentStems } from '../../core/text/words/content-words.ts'
import { isSameWord } from '../../core/text/words/word-forms.ts'
import { asksWhy, comesBackTo, pointsBack, startsLikeFollowUp, turnsToOther } from './cues.ts'
import type { Choice, Router, RouterAnswer, RoutingCase, Thread } from './router.ts'

const minuteMs = 60_000
/** Within this time a message stays where it is unless it clearly belongs elsewhere. */
const warmMs = 10 * minuteMs
/** Of the words of a message, once it is no longer warm: fewer that its conversation knows are a coincidence. */
const minShare = 0.3
/** After this time even a short message that nothing is known of begins something new. */
const coldMs = 6 * 60 * minuteMs

export const ruleRouter: Router = {
  by: 'rules',
  model: null,
  async route(known) {
    return decide(known)
  },
}

/** Characters of a text that are read. */
const maxChars = 4000
/** Words that say how somebody talks to a companion rather than what about. */
const talkWords = new Set(
  `tell remind draft create add write make update change plan compare suggest explain recommend task page note question answer
  today tomorrow yesterday week month year day time first last next new old still`.split(/\s+/),
)

/** The stems of the words that say what a text is about. In a script without spaces these are pairs of characters. */
const topicOf = (text: string): string[] =>
  [...contentStems(text.slice(0, maxChars), talkWords)].filter((word) => word.length > 1)

/** How much of a message a conversation knows. */
type Match = { id: string; score: number; share: number }

function decide(known: RoutingCase): RouterAnswer {
  const { message, active, others, now } = known
  const words = topicOf(message)
  const [own, ...matches] = matchAll(words, [textOfActive(active), ...others.map(textOf)], others)
  const best = clearest(matches, words.length, message)
  const ownScore = own?.score ?? 0

  if (best && best.score >= ownScore + (ownScore > 0 ? 1.4 : 0))
    return say({ choice: 'resume', id: best.id }, 'shared_words')
  if (turnsToOther(message)) return say({ choice: 'new' }, 'other_topic')
  if (!active) return say({ choice: 'new' }, 'none_active')
  const age = now.getTime() - Date.parse(active.last_activity_at)
  const isWarm = age <= warmMs
  if (ownScore > 0 && (isWarm || own!.share >= minShare || pointsBack(message)))
    return say({ choice: 'continue' }, 'shared_words')
  const asksAnew = asksWhy(message) && words.length >= 2 && !pointsBack(message)
  if (startsLikeFollowUp(message) && !asksAnew) return say({ choice: 'continue' }, 'follow_up')

  const isStrange = words.length >= 2 && !pointsBack(message)
  if (isStrange || (words.length >= 1 && age > coldMs)) return say({ choice: 'new' }, 'nothing_shared')
  return say({ choice: 'continue' }, 'not_clear')
}

const say = (choice: Choice, reason: string): RouterAnswer => ({ choice, reason, answer: null })

const textOf = ({ title, summary }: Thread) => `${title} ${summary}`

const textOfActive = (active: RoutingCase['active']) =>
  active ? `${textOf(active)} ${active.last_question ?? ''} ${(active.last_answer ?? '').slice(0, 1000)}` : ''

/** The active conversation's match first. A word that several conversations share hardly distinguishes them. */
function matchAll(words: readonly string[], texts: string[], others: readonly Thread[]): Match[] {
  const known = texts.map(topicOf)
  const holders = words.map((word) =>
    known.map((stems) => stems.some((each) => isSameWord(word, each, { compounds: true }))),
  )
  return known.map((_, place) => {
    const held = holders.filter((row) => row[place])
    const score = held.reduce((sum, row) => sum + 1 / row.filter(Boolean).length, 0)
    const id = place === 0 ? '' : (others[place - 1]?.id ?? '')
    return { id, score, share: words.length === 0 ? 0 : held.length / words.length }
  })
}

/**
 * The one that stands out: two words of its own, or a short message's only ones. Coming back, one word will do; a
 * message that points at what was just said needs two.
 */
function clearest(matches: Match[], size: number, message: string): Match | null {
  const [best, second] = matches.toSorted((a, b) => b.score - a.score)
  if (!best || best.score - (second?.score ?? 0) < 0.5) return null
  if (best.score >= 1.8) return best
  const oneWordWillDo = comesBackTo(message) || (size <= 3 && best.share >= 0.5 && !pointsBack(message))
  return best.score >= 0.9 && oneWordWillDo ? best : null
}
