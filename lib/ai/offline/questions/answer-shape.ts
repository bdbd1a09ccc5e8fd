import { hasFact } from './facts.ts'
import type { Wanted } from './keywords.ts'
import type { Segment } from './segments.ts'

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}'
const date = new RegExp(
  `\\b\\d{4}-\\d\\d|\\b\\d{1,2}(?:st|nd|rd|th|\\.)? ${month}\\b|\\b${month} \\d|\\b(?:19|20)\\d\\d\\b`,
  'i',
)
const signs: Record<Exclude<Wanted, null>, [RegExp, number]> = {
  when: [date, 0.6],
  many: [/\d/, 0.5],
  why: [/\b(?:because|since|so that|therefore|weil|parce que)\b/i, 0.4],
  who: [/\p{Ll} \p{Lu}\p{Ll}/u, 0.2],
  where: [/\b(?:in|at|under|on) the\b|\/\w/, 0.15],
  how: [/\b(?:you can|first|then)\b|`/i, 0.1],
}

/** How much a text looks like the kind of answer that is wanted, from 0 to about 1. */
export function answerShape(segments: readonly Segment[], heading: string, wants: Wanted): number {
  if (wants === null) return 0
  const [sign, worth] = signs[wants]
  const text = segments
    .map((segment) => segment.text)
    .join(' ')
    .slice(0, 5000)
  if (hasFact(segments, wants)) return 0.9
  const isSteps = wants === 'how' && segments.some(({ kind, marker }) => kind === 'code' || /\d/.test(marker))
  const announced = new RegExp(`^${wants}\\b`, 'i').test(heading) ? 0.3 : 0
  return (isSteps ? 0.4 : sign.test(text) ? worth : 0) + announced
}
