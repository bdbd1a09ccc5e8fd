// What a question is about: its words that carry meaning, and what kind of answer it wants.

import { wordsOf } from '../../../search/words.ts'
import { otherWords } from './lexicon.ts'
import { stem } from './stem.ts'
import { joinedIn, partsOf } from './stems.ts'
import { softWords, stopWords } from './stop-words.ts'

export type Term = {
  word: string
  /** Stems that are as good as the word itself: its own, and the one it makes with a neighbour ("back up"). */
  stems: string[]
  /** Stems of other words for it. */
  otherStems: string[]
  /** How much is missing when it is missing. */
  weight: number
}

export type Wanted = 'when' | 'many' | 'who' | 'how' | 'why' | 'where' | null

export type Keywords = {
  terms: Term[]
  query: string
  /** Other words for what is asked, to be looked for when the owner's own find too little; may be empty. */
  otherQuery: string
  wants: Wanted
  /** Neighbouring words of the question, at least one of them a term: "cost per", "per use". */
  pairs: string[]
  /** "What is a ref?": a sentence that begins with the word is likely the answer. */
  defines: boolean
}

const longest = 2000
const mostTerms = 24

/** Reads any string; a question of stop words alone is looked for as it stands. */
export function readKeywords(question: string): Keywords {
  const text = question.slice(0, longest)
  const words = wordsOf(text).slice(0, 400)
  const names = namesIn(text)
  const wants = wantedBy(text)
  const firm = words.filter(
    (word) => !stopWords.has(word) && !softWords.has(word) && !(wants === 'many' && amounts.has(word)),
  )
  const soft = words.filter((word) => softWords.has(word))
  const kept = [...new Set(firm.length > 0 ? firm : soft)].slice(0, mostTerms)
  const terms = kept.map((word) => toTerm(word, words, names))
  const others = terms.flatMap(({ word }) => otherWords(word, stem))
  const joined = [...joinedIn(words), ...kept.flatMap(partsOf)].filter((word) => !stopWords.has(word))

  return {
    terms,
    query: [...new Set([...phrasesIn(text), ...kept, ...joined])].join(' ') || text.trim(),
    otherQuery: [...new Set([...others, ...soft])].join(' '),
    wants,
    pairs: pairsOf(words, new Set(kept)),
    defines: kept.length <= 3 && definition.test(text.trim()),
  }
}

const amounts = new Set(['long', 'old', 'big', 'often', 'far', 'lange', 'oft'])
const definition =
  /^(?:what(?:'s|’s| is| are| does)|who(?:'s|’s| is| was)|was (?:ist|sind)|wer (?:ist|war)|qu'est-ce|define|explain)\b/i

function toTerm(word: string, words: string[], names: Set<string>): Term {
  const isName = names.has(word) || /\d/.test(word)
  return {
    word,
    stems: [
      stem(word),
      ...joinedIn(words)
        .filter((joined) => joined.startsWith(stem(word)))
        .map(stem),
    ],
    otherStems: otherWords(word, stem).map(stem),
    weight: isName ? 1.5 : 1,
  }
}

/** Capitalised words after the first; in German they say nothing. */
function namesIn(text: string): Set<string> {
  if (/\b(?:ich|wie|der|das|ist|sind|meine?|kann|und|werden|eine?)\b/i.test(text)) return new Set()
  const names = [...text.matchAll(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{N}'-]{1,60}/gu)]
  return new Set(names.flatMap(([name]) => wordsOf(name)))
}

const pairsOf = (words: string[], terms: Set<string>) =>
  words.flatMap((word, at) => {
    const next = words[at + 1] ?? ''
    return at > 0 && next !== '' && (terms.has(word) || terms.has(next)) ? [`${word} ${next}`] : []
  })

const phrasesIn = (text: string) =>
  [...text.matchAll(/"([^"\n]{3,200})"|“([^”\n]{3,200})”/g)].map(([all]) => all)

function wantedBy(text: string): Wanted {
  const start = text.slice(0, 300).toLowerCase()
  if (/\b(when|what (day|date|time|year)|wann|quand|deadline|which (day|year)|due)\b/.test(start))
    return 'when'
  if (/\b(how (many|much|long|old|big|often)|wie ?(viele?|lange|oft)|combien)\b/.test(start)) return 'many'
  if (/\b(who|whom|whose|wer|wem|wen|qui)\b/.test(start)) return 'who'
  if (/\b(how|wie|comment)\b/.test(start)) return 'how'
  if (/\b(why|warum|wieso|pourquoi)\b/.test(start)) return 'why'
  if (/\b(where|wo|wohin|où)\b/.test(start)) return 'where'
  return null
}
