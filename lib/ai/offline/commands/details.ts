// What hangs on a task's title: when it is due, how urgent it is, which project it belongs to.

import { findDate } from '../dates/find-date.ts'
import { unquote } from './unquote.ts'

export type Details = { title: string; due_on?: string; priority?: string; project?: string }

const priorities: [RegExp, string][] = [
  [
    /(?:^|[ ,;(-])(?:with |at )?(?:the )?(?:(?:highest|top) priority|priority:? urgent|very urgent|urgent priority|as urgent|urgent|asap|dringend|!!+)[)!.]*$/i,
    'urgent',
  ],
  [
    /(?:^|[ ,;(-])(?:with |at )?(?:a )?(?:high[- ]priority|priority:? high|as important|important|prio 1)[)!.]*$/i,
    'high',
  ],
  [/(?:^|[ ,;(-])(?:with |at )?(?:a )?(?:low[- ]priority|priority:? low|not urgent)[)!.]*$/i, 'low'],
  [/(?:^|[ ,;(-])(?:with )?(?:a )?(?:normal[- ]priority|priority:? (?:normal|medium))[)!.]*$/i, 'normal'],
]
const firstPriorities: [RegExp, string][] = [
  [/^(?:urgent(?:ly)?|asap|dringend)[:,!] ?/i, 'urgent'],
  [/^(?:important|high[- ]priority)[:,!] ?/i, 'high'],
  [/^low[- ]priority[:,!] ?/i, 'low'],
]
const project = /[ ,](?:in|for|under|to|as part of) (?:the )?(?:project (.{1,200})|(.{1,200}) project)$/i
/** A due date has no time, so that stays in the title. */
const clock = / at \d{1,2}(?:[:.]\d\d)?(?: ?(?:am|pm|a\.m\.|p\.m\.|o'clock|h))?$/i
const projectFirst =
  /^(?:to|in|for|under) (?:the )?(?:project (.{1,200}?)(?::| to | called )|(.{1,200}?) project(?::| to | called |,)) ?/i

/** Takes details off the end and the beginning of a text until only the title is left. Quoted text is all title. */
export function readDetails(text: string, now: Date): Details {
  let details: Details = { title: text.trim() }
  for (let round = 0; round < 4; round += 1) {
    const before = details.title
    details = takePriority(takeDate(takeProject(details), now))
    if (details.title === before) break
  }
  return { ...details, title: tidy(details.title) }
}

function takeProject(details: Details): Details {
  const first = projectFirst.exec(details.title.slice(0, 300))
  const last = project.exec(details.title.slice(-300))
  if (details.project !== undefined || (!first && !last)) return details
  const name = unquote((first?.[1] ?? first?.[2] ?? last?.[1] ?? last?.[2] ?? '').trim())
  const title = first ? details.title.slice(first[0].length) : details.title.slice(0, -last![0].length)
  return title.trim() === '' ? details : { ...details, title: title.trim(), project: name }
}

function takeDate(details: Details, now: Date): Details {
  if (details.due_on !== undefined) return details
  const time = clock.exec(details.title.slice(-40))?.[0] ?? ''
  const found = findDate(details.title.slice(0, details.title.length - time.length), now)
  if (!found?.rest) return details
  return { ...details, title: found.rest.replace(/[ ,;(-]+$/, '') + time, due_on: found.due_on }
}

function takePriority(details: Details): Details {
  if (details.priority !== undefined) return details
  const tail = details.title.slice(-60)
  for (const [pattern, priority] of priorities) {
    const match = pattern.exec(tail)
    if (!match) continue
    const rest = details.title.slice(0, details.title.length - tail.length + match.index)
    const title = rest.replace(/[ ,;(-]+$/, '')
    return title === '' ? details : { ...details, title, priority }
  }
  for (const [pattern, priority] of firstPriorities) {
    if (pattern.test(details.title))
      return { ...details, title: details.title.replace(pattern, ''), priority }
  }
  return details
}

/** Without the connecting word, quotes and full stop; a capital first. */
function tidy(title: string): string {
  const bare = unquote(
    title
      .replace(/^(?:to|called|named|titled|that|:|-|–) /i, '')
      .replace(/^[:–-] ?/, '')
      .trim(),
  )
  const ended = /\w\w\.$/.test(bare) && !/\.\w+\.$/.test(bare) ? bare.slice(0, -1) : bare
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}
