import { wordsOf } from '../../../search/words.ts'
import type { Found } from '../answers.ts'
import { type Segment, segmentBlocks } from './segments.ts'
import { stemsOf } from './stems.ts'

/** A block that can be quoted, with its words. */
export type Reading = {
  found: Found
  block: number
  heading: string
  segments: Segment[]
  /** Stems of what it states. */
  text: Set<string>
  /** Stems of all of it, with its questions and examples: a question is no answer. */
  asked: Set<string>
  /** Stems of the heading over it, and of that, its headings further up and the title. */
  headingStems: Set<string>
  above: Set<string>
  /** Its words in order, with a space on either side of each. */
  flow: string
  titleStems: Set<string>
  /** Whether it is mostly a list of links to other pages. */
  isIndex: boolean
}

/** Every quotable block once, in the order in which the texts were found. */
export function readBlocks(found: readonly Found[]): Reading[] {
  const seen = new Set<string>()
  return found.flatMap((each) =>
    segmentBlocks(each.blocks).flatMap(({ block, heading, segments }) => {
      const raw = each.blocks[block] ?? ''
      const key = `${each.id}\n${raw.trim()}`
      if (segments.length === 0 || seen.has(key) || raw === '(empty)') return []
      seen.add(key)
      return [toReading({ found: each, block, heading, segments }, raw)]
    }),
  )
}

/** The text of segments as a whole. */
export const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')

function toReading(place: Pick<Reading, 'found' | 'block' | 'heading' | 'segments'>, raw: string): Reading {
  const { found, heading, segments } = place
  const own = heading || (found.title.split(' › ').at(-1) ?? '')
  const links = raw.split('[[').length - 1
  const stated = statedIn(segments)
  return {
    ...place,
    text: stemsOf(stated),
    asked: stemsOf(textOf(segments)),
    headingStems: stemsOf(own),
    titleStems: stemsOf(found.title.split(' › ')[0] ?? ''),
    above: stemsOf(`${found.title} ${heading}`),
    flow: ` ${wordsOf(`${own} ${stated}`.slice(0, 20_000)).join(' ')} `,
    isIndex: links > 1 && links >= segments.length * 0.8 && segments.every(({ kind }) => kind === 'item'),
  }
}

/** The text without its questions, also quoted ones, and without what is quoted as a mere example. */
function statedIn(segments: readonly Segment[]): string {
  const statements = segments.filter(({ text }) => !/\?["'”»)]*$|^["“„«][^"”»]*["”»]\.?$/.test(text))
  return textOf(statements).replace(/["“„«][^"“”„«»]{1,300}\?["”“»]/g, ' ')
}
